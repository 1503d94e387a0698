"""The listing of an S3 bucket as the server sends it, for keys that obstore cannot express.

obstore 0.12 parses the keys of a page as paths and drops the whole page, up to 1,000 keys, for one key with an empty, `.` or
`..` segment. Here keys stay what they are.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote_plus

from irlint.tools.installed import is_installed
from irlint.zoo.patience import patiently
from irlint.zoo.stores import Listed, PassingError, StoreError, bucket_and_key

if TYPE_CHECKING:
    from http.client import HTTPResponse

    from irlint.zoo.signature import Credentials

_MOST = 16 << 20  # bytes of a page: 1,000 keys of 1,024 bytes, each of which may be sent as %XX
_SECONDS = 300.0  # without a byte
_DECLARATION = re.compile(rb"<!(?:DOCTYPE|ENTITY)")


class PlainPages:
    """The listing of what is below an s3:// URL. Keys that are not UTF-8 have surrogate escapes."""

    def __init__(self, url: str, environment: Mapping[str, str] = os.environ) -> None:
        bucket, key = bucket_and_key(url) or ("", "")
        self._below = f"{key.strip('/')}/".lstrip("/")
        self._region = environment.get("AWS_REGION") or environment.get("AWS_DEFAULT_REGION") or "us-east-1"
        self._address = _address(bucket, self._region, environment)
        self._credentials = _credentials(environment)

    def after(self, key: str) -> Iterator[list[Listed]]:
        """Return the pages of all keys that come after one."""
        is_truncated = True
        while is_truncated:
            page, is_truncated = patiently(lambda key=key: self._page(key))  # type: ignore[misc]
            yield page
            if is_truncated and not (page and _bytes(page[-1].key) > _bytes(key)):
                raise StoreError("the listing repeats itself")
            key = page[-1].key if page else key

    def _page(self, after: str) -> tuple[list[Listed], bool]:
        query = {"encoding-type": "url", "list-type": "2", "prefix": self._below}
        if after:
            query["start-after"] = self._below + after
        document = self._answer("&".join(f"{name}={_quoted(query[name])}" for name in sorted(query)))
        if _DECLARATION.search(document):
            raise StoreError("the store's listing is not valid")
        return _parsed(document, len(self._below))

    def _answer(self, query: str) -> bytes:
        from http.client import HTTPException
        from urllib.error import HTTPError
        from urllib.request import HTTPRedirectHandler, Request, build_opener

        headers = {} if self._credentials is None else self._credentials.sign(self._address, query, self._region)
        redirects = HTTPRedirectHandler()
        redirects.redirect_request = lambda *_: None  # type: ignore[method-assign]  # a session token stays with its host
        response: HTTPResponse
        try:
            with build_opener(redirects).open(
                Request(f"{self._address}?{query}", headers=headers), timeout=_SECONDS
            ) as response:
                data = response.read(_MOST + 1)
        except HTTPError as error:
            kind = PassingError if error.code >= 500 or error.code == 429 else StoreError
            raise kind(f"the store answered {error.code}") from error
        except (OSError, HTTPException, ValueError) as error:
            raise PassingError("cannot read the store's listing") from error
        if len(data) > _MOST:
            raise StoreError("the store's listing is not valid")
        return data


def _address(bucket: str, region: str, environment: Mapping[str, str]) -> str:
    """Return the URL of a bucket, by the same rules as obstore."""
    names = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT")
    endpoint = next((environment[name].rstrip("/") for name in names if environment.get(name)), None)
    is_virtual = environment.get("AWS_VIRTUAL_HOSTED_STYLE_REQUEST", "").lower() in ("1", "true", "yes", "on")
    if is_virtual:
        return f"{endpoint or f'https://{bucket}.s3.{region}.amazonaws.com'}/"
    return f"{endpoint or f'https://s3.{region}.amazonaws.com'}/{bucket}"


def _credentials(environment: Mapping[str, str]) -> Credentials | None:
    """Return the credentials of the environment, or what botocore's chain finds; None if requests are not signed."""
    from irlint.zoo.signature import Credentials

    if environment.get("AWS_SKIP_SIGNATURE", "").lower() in ("1", "true", "yes", "on"):
        return None
    key, secret = environment.get("AWS_ACCESS_KEY_ID"), environment.get("AWS_SECRET_ACCESS_KEY")
    if key and secret:
        return Credentials(key, secret, environment.get("AWS_SESSION_TOKEN"))
    found = _of_botocore()
    if found is None:
        raise StoreError("no credentials in the environment, and botocore finds none or is not installed")
    return Credentials(found.access_key, found.secret_key, found.token)


def _of_botocore() -> Any:
    if not is_installed("botocore"):
        return None
    from botocore.exceptions import BotoCoreError
    from botocore.session import Session

    try:
        found = Session().get_credentials()
        return None if found is None else found.get_frozen_credentials()
    except BotoCoreError:
        return None


def _parsed(document: bytes, cut: int) -> tuple[list[Listed], bool]:
    from xml.etree import ElementTree

    try:
        root = ElementTree.fromstring(document)
        space = root.tag.rpartition("}")[0]
        space = f"{space}}}" if space else ""
        is_encoded = root.findtext(f"{space}EncodingType") == "url"
        page = []
        for one in root.iter(f"{space}Contents"):
            key, size = one.findtext(f"{space}Key") or "", int(one.findtext(f"{space}Size") or 0)
            key = unquote_plus(key, errors="surrogateescape") if is_encoded else key
            etag = (one.findtext(f"{space}ETag") or "").strip('"') or one.findtext(f"{space}LastModified")
            page.append(Listed(key[cut:], size, etag))
    except (ElementTree.ParseError, ValueError) as error:
        raise StoreError("the store's listing is not valid") from error
    return page, root.findtext(f"{space}IsTruncated") == "true"


def _quoted(text: str) -> str:
    return quote(_bytes(text), safe="-_.~")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
