"""Test that nothing is sent to a server that cannot prove its name. The certificate is made anew for each run."""

import os
import shutil
import socket
import ssl
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from deskbell.notices.channels import Failed
from deskbell.notices.channels.http import post


@pytest.fixture
def impostor(tmp_path: Path) -> ssl.SSLContext:
    """What a server needs that has signed its certificate itself."""
    if not shutil.which("openssl"):
        pytest.skip("openssl is not installed")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost"]
    named = ["-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run([*made, *named], check=True, capture_output=True, timeout=60)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context


def test_nothing_is_sent_to_a_server_whose_certificate_nobody_vouches_for(impostor: ssl.SSLContext) -> None:
    heard: list[bytes | str] = []

    def serve(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        with connection:
            try:
                with impostor.wrap_socket(connection, server_side=True) as secured:
                    heard.append(secured.recv(1000))
            except ssl.SSLError:
                heard.append("refused")

    with socket.create_server(("localhost", 0)) as listener:
        listener.settimeout(20)
        server = threading.Thread(target=serve, args=(listener,))
        server.start()
        with pytest.raises(Failed) as failed:
            post(f"https://localhost:{listener.getsockname()[1]}/secret", b"private", {"Authorization": "token"}, 10.0)
        server.join(20)
    assert heard == ["refused"]
    assert "secret" not in str(failed.value)


STREAM = """
import sys, threading, time
from deskbell.notices.channels.http import stream
with stream(sys.argv[1], {}, 10.0, 60.0, 100) as lines:
    for line in lines:
        begun = time.monotonic()
        threading.Timer(0.1, lines.hang_up).start()
        print(line.decode().strip())
    print(time.monotonic() - begun < 5.0)
"""


def test_another_thread_ends_a_stream_that_is_encrypted(impostor: ssl.SSLContext, tmp_path: Path) -> None:
    over = threading.Event()

    def serve(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        with connection, impostor.wrap_socket(connection, server_side=True) as secured:
            secured.recv(1000)
            secured.sendall(b"HTTP/1.1 200 OK\r\n\r\none\n")
            over.wait(20)

    with socket.create_server(("localhost", 0)) as listener:
        listener.settimeout(20)
        server = threading.Thread(target=serve, args=(listener,), daemon=True)
        server.start()
        done = subprocess.run(
            [sys.executable, "-c", STREAM, f"https://localhost:{listener.getsockname()[1]}/topic"],
            env={**os.environ, "SSL_CERT_FILE": str(tmp_path / "certificate.pem"), "no_proxy": "localhost"},
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
        over.set()
        server.join(20)
    assert (done.stdout, done.stderr) == ("one\nTrue\n", "")
