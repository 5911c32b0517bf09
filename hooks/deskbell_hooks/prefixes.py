"""List the beginnings of tokens that vendors document, and how long the rest is. Data only.

The beginnings, alphabets and lengths are facts that public rule sets collect: those of gitleaks and
trufflehog. `tokens` reads the tables. Every beginning needs a hint in `trim`.
"""

PREFIXES = (
    *("sk-", "sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_", "pk_live_", "whsec_", "ghp_"),
    *(
        "gho_",
        "ghu_",
        "ghs_",
        "ghr_",
        "github_pat_",
        "glpat-",
        "glrt-",
        "gldt-",
        "glcbt-",
        "glptt-",
        "glft-",
        "glsoat-",
    ),
    *("glffct-", "glimt-", "glagent-", "gloas-", "xoxa-", "xoxb-", "xoxc-", "xoxd-", "xoxe-", "xoxe.", "xoxo-"),
    *("xoxp-", "xoxr-", "xoxs-", "xapp-", "AKIA", "ASIA", "ABIA", "ACCA", "A3T", "AIza", "npm_", "pypi-", "hf_"),
    *("api_org_", "dckr_pat_", "dckr_oat_", "ya29.", "SG.", "shpat_", "shpca_", "shppa_", "shpss_", "shptka_"),
    *("dop_v1_", "doo_v1_", "dor_v1_", "eyJ", "hvs.", "hvb.", "hvr.", "sq0csp-", "sq0atp-", "sq0idp-", "sqco_"),
    *("EAAA", "EAAC", "EAAM", "gsk_", "xai-", "pplx-", "r8_", "nvapi-", "lsv2_pt_", "lsv2_sk_", "pcsk_", "tgp_v1_"),
    *("jina_", "e2b_", "wandb_v1_", "tvly-", "lin_api_", "lin_oauth_", "PMAK-", "AGE-SECRET-KEY-1", "GOCSPX-"),
    *("LTAI", "AQVN", "HRKU-", "fo1_", "fm1a_", "fm1r_", "fm2_", "cfut_", "cfat_", "cfk_", "tk-us-", "pscale_tkn_"),
    *("pscale_oauth_", "pscale_pw_", "sbp_", "sb_secret_", "nfp_", "salad_cloud_", "tskey-", "p8e-", "GR1348941"),
    *("ATBB", "BBDC-", "ATATT3", "ATCTT3", "rubygems_", "CLOJARS_", "AKCp", "sgp_", "slk_", "squ_", "sqp_", "sqa_"),
    *(
        "CCIPAT_",
        "bkua_",
        "pul-",
        "pnu_",
        "rdme_",
        "snyk_uat.",
        "xkeysib-",
        "xsmtpsib-",
        "syt_",
        "FLWSECK",
        "rzp_live_",
    ),
    *("rzp_test_", "EZAK", "EZTK", "shippo_live_", "shippo_test_", "duffel_live_", "duffel_test_", "ak_live_"),
    *("ramp_sec_", "glc_", "glsa_", "NRAK-", "NRII-", "NRJS-", "NRIQ-", "NRBR-", "eu01xx", "sntrys_", "sntryu_"),
    *("dt0c01.", "dt0s01.", "phx_", "phc_", "ddp_", "ddw_", "ntn_", "figd_", "figp_", "fio-u-", "tfp_", "CFPAT-"),
    *("apify_api_", "aio_", "rootly_", "4b1d", "ico-", "5AEP861", "3MVG9", "VF.", "shltm_", "rpa_", "dnkey-"),
    *("flb_live_", "sm_pat_", "sm_aat_", "sm_sat_", "thog-key-", "ops_eyJ", "dp.pt.", "dp.st.", "dp.ct.", "dp.sa."),
    *("dp.scim.", "dp.audit.", "sha256~", "ZXlK", "s-s4t2ud-", "s-s4t2af-", "u-s4t2ud-", "xprv", "bedrock-api-key-"),
    *("YCAJE", "YCO", "patSat.", "AGPA", "hooks.slack.com/services/", "hooks.slack.com/workflows/"),
    *("hooks.slack.com/triggers/", "discord.com/api/webhooks/", "discordapp.com/api/webhooks/", "/IncomingWebhook/"),
    *("hooks.zapier.com/hooks/catch/", ".tines.com/webhook/"),
)
"""What a token begins with; ten characters or more follow, among them a digit or letters of both cases."""

LONG_PREFIXES = {
    **dict.fromkeys(("A3-", "API-"), 26),
    **dict.fromkeys(("fw_", "rnd_"), 24),
    **dict.fromkeys(("live_", "t1.", "sk_", "csk-", "secret_"), 35),
    **dict.fromkeys(("ABSK", "1000.", "v1.0-", "sl.", "cmVmdGtu", "00D", "access_token$"), 50),
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
