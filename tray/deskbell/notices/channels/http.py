"""How is something posted, and what may be tried again?"""

import http.client
import urllib.error
import urllib.request
from collections.abc import Mapping

from deskbell import VERSION
from deskbell.notices.channels import Failed

AGAIN = (408, 425, 429)


class _Stay(urllib.request.HTTPRedirectHandler):
    """A notice, and its token, go where they were sent and nowhere else."""

    def redirect_request(self, *_args: object, **_named: object) -> None:
        return None


_opener = urllib.request.build_opener(_Stay)


def post(url: str, body: bytes, headers: Mapping[str, str], timeout: float) -> None:
    named = {"Content-Type": "application/json", "User-Agent": f"deskbell/{VERSION}", **headers}
    request = urllib.request.Request(url, body, named)  # the policy lets only http and https through
    try:
        with _opener.open(request, timeout=timeout) as answer:
            answer.read(1)
    except urllib.error.HTTPError as error:
        error.close()
        raise Failed(
            f"HTTP {error.code} {error.reason}", for_good=error.code < 500 and error.code not in AGAIN
        ) from None
    except (OSError, http.client.HTTPException) as error:
        raise Failed(str(getattr(error, "reason", "") or error or type(error).__name__)) from None
