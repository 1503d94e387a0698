"""Brings up the loopback interface, and fails where the machine has another one that is up."""

import fcntl
import socket
import struct
import sys

GET_FLAGS, SET_FLAGS, UP = 0x8913, 0x8914, 1

with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:

    def flags(name: str) -> int:
        request = struct.pack("16sH14x", name.encode(), 0)
        return int(struct.unpack("16sH14x", fcntl.ioctl(any_socket, GET_FLAGS, request))[1])

    others = [name for _, name in socket.if_nameindex() if name != "lo" and flags(name) & UP]
    if others:
        sys.exit(f"up besides the loopback interface: {', '.join(others)}")
    fcntl.ioctl(any_socket, SET_FLAGS, struct.pack("16sH14x", b"lo", flags("lo") | UP))
