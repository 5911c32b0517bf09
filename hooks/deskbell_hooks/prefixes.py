"""List the beginnings of tokens that vendors document, and how long the rest is. Data only.

The beginnings, alphabets and lengths are facts that public rule sets collect: those of gitleaks and trufflehog.
`tokens` reads the tables. They hold what `mixed` cannot tell from an id or a hash: tokens that are short, hexadecimal
or of one case. Besides they hold the beginnings that everybody knows, so that these are hidden in every place.
"""

PREFIXES = tuple(
    (
        "sk- sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ pk_live_ whsec_ ghp_ gho_ ghu_ ghs_ ghr_"
        " github_pat_ glpat- glrt- gldt- glcbt- glptt- glft- glsoat- glffct- glimt- gloas- xoxb- xoxc- xoxo- xoxp-"
        " xoxs- xapp- AKIA ASIA ABIA ACCA A3T AIza npm_ pypi- hf_ api_org_ dckr_pat_ dckr_oat_ ya29. SG. shpat_"
        " shpca_ shppa_ shpss_ shptka_ dop_v1_ doo_v1_ dor_v1_ eyJ hvs. hvb. hvr. sq0idp- gsk_ xai- pplx- lsv2_pt_"
        " lsv2_sk_ e2b_ lin_api_ lin_oauth_ PMAK- AGE-SECRET-KEY-1 GOCSPX- LTAI pscale_oauth_ sbp_ tskey- p8e- ATBB"
        " ATCTT3 rubygems_ CLOJARS_ sgp_ slk_ squ_ sqp_ sqa_ CCIPAT_ bkua_ pul- rdme_ xkeysib- xsmtpsib- FLWSECK"
        " rzp_live_ rzp_test_ shippo_live_ shippo_test_ duffel_live_ duffel_test_ ak_live_ NRAK- NRJS- NRBR- sntryu_"
        " figd_ apify_api_ aio_ rootly_ ico- VF. rpa_ dnkey- flb_live_ sm_pat_ sm_aat_ sm_sat_ thog-key- s-s4t2ud-"
        " s-s4t2af- u-s4t2ud- YCAJE hooks.slack.com/services/ hooks.slack.com/workflows/ hooks.slack.com/triggers/"
        " discord.com/api/webhooks/ discordapp.com/api/webhooks/ /IncomingWebhook/ hooks.zapier.com/hooks/catch/"
        " .tines.com/webhook/"
    ).split()
)
"""What a token begins with; ten characters or more follow, among them a digit or letters of both cases."""

LONG_PREFIXES = {
    **dict.fromkeys(("A3-", "API-"), 26),
    "fw_": 24,
    **dict.fromkeys(("live_", "sk_", "csk-"), 35),
    **dict.fromkeys(("1000.", "v1.0-", "00D", "access_token$"), 50),
    **dict.fromkeys(("sdk-", "api-", "pub-c-", "sub-c-", "pat-eu1-", "pat-na1-"), 36),
    "oy2": 43,
}
"""Beginnings that ordinary words have too, and the least number of characters that follow. Among these are a letter and
two digits."""

HEX_PREFIXES = ("SK", "AC", "dapi", "key-", "pubkey-", "web_", "fc-")
"""Beginnings of tokens with 32 hexadecimal digits: those of Twilio, Databricks, Mailgun and Firecrawl."""

INFIXES = {".atlasv1.": (14, 20), "8Q~": (3, 20), "7Q~": (3, 20), "_secret_": (20, 20)}
"""What stands within a token, and the least numbers of characters before it and after it."""

ENDINGS = {"_mmk": 30, "NRAL": 20, "-NRMA": 20}
"""What a token ends with, and the least number of characters before it."""

HASHES = ("$2a$", "$2b$", "$2y$", "$1$", "$5$", "$6$", "$y$", "$apr1$", "$argon2", "{SSHA}", "{SHA}")
"""What the hash of a password begins with."""
