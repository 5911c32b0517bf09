"""Post a body to a URL, and say in plain words what failed.

No message holds the URL, a header or the text of an exception: the path of a webhook and the token are secrets.
"""

import http.client
import urllib.error
import urllib.request
from collections.abc import Mapping
from http import HTTPStatus

from deskbell import VERSION
from deskbell.notices.channels import Failed

AGAIN = (408, 425, 429)
"""Client errors after which another attempt may succeed."""
NOT_ALLOWED = "its url or its secret contains a character that HTTP does not allow"


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A message and its token go to the configured address and nowhere else."""

    def redirect_request(self, *_args: object, **_named: object) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirect)


def post(url: str, body: bytes, headers: Mapping[str, str], timeout: float) -> None:
    """POST BODY. Raise Failed for every answer but success, and where none comes within TIMEOUT seconds."""
    named = {"Content-Type": "application/json", "User-Agent": f"deskbell/{VERSION}", **headers}
    try:
        request = urllib.request.Request(url, body, named)  # the policy permits only http and https
        with _opener.open(request, timeout=timeout) as answer:
            answer.read(1)
    except urllib.error.HTTPError as error:
        error.close()
        for_good = error.code < 500 and error.code not in AGAIN
        raise Failed(f"the server answered {_status(error.code)}", for_good) from None
    except http.client.InvalidURL:
        raise Failed(NOT_ALLOWED, for_good=True) from None
    except (OSError, http.client.HTTPException) as error:
        raise Failed(_trouble(error, timeout)) from None
    except ValueError:  # also UnicodeError: a host that is not a host, a token outside Latin-1
        raise Failed(NOT_ALLOWED, for_good=True) from None


def _status(code: int) -> str:
    try:
        return f"{code} ({HTTPStatus(code).phrase})"
    except ValueError:
        return str(code)


def _trouble(error: Exception, timeout: float) -> str:
    cause = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(cause, TimeoutError):
        return f"no answer within {timeout:g} s"
    if isinstance(cause, OSError) and cause.strerror:
        return f"the connection failed: {cause.strerror}"
    return f"the connection failed ({type(cause).__name__})"
