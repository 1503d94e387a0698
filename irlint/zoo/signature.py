"""Signatures of requests to S3, version 4 (SigV4), for requests without a body."""

from __future__ import annotations

import hmac
from datetime import datetime, timezone
from hashlib import sha256
from urllib.parse import urlsplit

from irlint.records import NamedTuple

_EMPTY = sha256(b"").hexdigest()


class Credentials(NamedTuple):
    key: str
    secret: str
    token: str | None = None

    def __repr__(self) -> str:  # whatever prints it must not print the secret
        return "Credentials()"

    def sign(self, address: str, query: str, region: str, now: datetime | None = None) -> dict[str, str]:
        """Return the headers that sign a GET request. The query's names are in order, its values quoted."""
        moment = (now or datetime.now(timezone.utc)).strftime("%Y%m%dT%H%M%SZ")
        parts = urlsplit(address)
        headers = {"host": parts.netloc.rpartition("@")[2], "x-amz-content-sha256": _EMPTY, "x-amz-date": moment}
        if self.token:
            headers["x-amz-security-token"] = self.token
        names = ";".join(sorted(headers))
        lines = [f"{name}:{headers[name]}" for name in sorted(headers)]
        request = "\n".join(("GET", parts.path or "/", query, *lines, "", names, _EMPTY))
        scope = f"{moment[:8]}/{region}/s3/aws4_request"
        text = "\n".join(("AWS4-HMAC-SHA256", moment, scope, sha256(request.encode()).hexdigest()))
        key = f"AWS4{self.secret}".encode()
        for part in scope.split("/"):
            key = hmac.digest(key, part.encode(), "sha256")
        signature = hmac.new(key, text.encode(), sha256).hexdigest()
        del headers["host"]  # the client sends it
        authorization = f"AWS4-HMAC-SHA256 Credential={self.key}/{scope}, SignedHeaders={names}, Signature={signature}"
        return {**headers, "authorization": authorization}
