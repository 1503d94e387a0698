"""A store that exists only as a listing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from irlint.zoo.stores import ListedObject, MissingError, ObjectBody, Store

PAGE = 1000


class FakeStore(Store):
    """`count` keys, of which every `every`-th is a model's."""

    def __init__(self, count: int, every: int = 50) -> None:
        super().__init__("fake://hub")
        self.count, self.every = count, every

    def pages(self, prefix: str = "", after: str = "") -> Iterator[list[ListedObject]]:
        for begin in range(0, self.count, PAGE):
            yield [self._listed(k) for k in range(begin, min(begin + PAGE, self.count))]

    def _listed(self, k: int) -> ListedObject:
        end = "onnx" if k % self.every == 0 else "safetensors"
        return ListedObject(f"org-{k // 10_000:05d}/model-{k // 100:07d}/{k:08d}.{end}", 1000 + k % 1000, f"{k:032x}")

    def whole(self, key: str, most: int) -> ObjectBody:
        raise MissingError("no such object")

    def part(self, key: str, start: int, end: int, etag: str | None = None) -> ObjectBody:
        raise MissingError("no such object")

    def head(self, key: str) -> ListedObject:
        raise MissingError("no such object")

    def put(self, key: str, data: BinaryIO) -> None:
        raise AssertionError("nothing is written")
