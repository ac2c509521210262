"""coordinator-web behind nginx and Caddy, with the examples of Docs/web.md: python3 proxies_tests.py BINARIES WORK [TEST...]

Tests of a web server that is not installed are skipped.
"""

import http.client
import os
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import time
import unittest

from pages import PageTestCase, main
from phone import phone_browser
from world import eventually, token

DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "Docs" / "web.md"


def example(language):
    """Returns the example in the document."""
    return re.search(rf"```{language}\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)[1]


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class ProxyTests(PageTestCase):
    def begin(self, program):
        """Starts coordinator-web on a socket, for an origin, and its flow tree."""
        if not shutil.which(program):
            self.skipTest(f"{program} is not installed")
        self.tree = token(self.id().rsplit(".", 1)[1])
        self.directory = self.world.home / program
        self.directory.mkdir()
        self.port = free_port()
        self.host = f"localhost:{self.port}"
        self.certificate, self.key = self.directory / "certificate.pem", self.directory / "key.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
             "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", str(self.key),
             "-out", str(self.certificate)], check=True, capture_output=True)
        self.context = ssl.create_default_context(cafile=str(self.certificate))
        self.socket = self.directory / "web.socket"
        self.world.control("start", "schedule-visit", "--token", self.tree)
        self.web = self.world.start(
            self.world.binaries / "coordinator-web", "--socket", self.socket, "--origin", f"https://{self.host}")
        self.entry = self.web.stdout.readline().strip()
        self.assertTrue(self.entry.startswith(f"https://{self.host}/"), self.entry)

    def ask(self, method, path, headers=None, body=None):
        connection = http.client.HTTPSConnection("localhost", self.port, context=self.context, timeout=20)
        connection.request(method, path, body, headers or {})
        return connection.getresponse()

    def walk(self):
        """Enters, receives a change at once, and answers, as browsers do."""
        path = self.entry.removeprefix(f"https://{self.host}")
        base = path.split("?")[0]

        def listens():
            try:
                with socket.create_connection(("127.0.0.1", self.port), 1):
                    return True
            except OSError:
                return False
        self.assertTrue(eventually(listens), "nobody listens")
        answer = self.ask("GET", path)
        self.assertEqual(answer.status, 200, answer.read())
        cookie = answer.getheader("Set-Cookie")
        self.assertIn("; Secure", cookie)
        headers = {"Cookie": cookie.split(";")[0]}
        self.assertEqual(self.ask("GET", path).status, 403)
        self.assertEqual(self.ask("GET", base, {**headers, "Host": "evil.example"}).status in (421, 200, 404), True)
        # An event arrives although the response has not ended.
        events = self.ask("GET", f"{base}flows/{self.tree}/events", headers)
        self.assertEqual(events.status, 200)
        self.assertTrue(events.readline().startswith(b"event: "))
        began = time.monotonic()
        self.world.control("send", self.tree, "sick")
        seen = ""
        while '"revision":2' not in seen:
            seen = events.readline().decode()
            self.assertTrue(seen, "the events ended")
        self.assertLess(time.monotonic() - began, 5)
        # The server accepts a form of the page only with the origin that a browser sends.
        page = self.ask("GET", f"{base}flows/{self.tree}", headers)
        where = page.getheader("Location")
        text = self.ask("GET", where, headers).read().decode()
        token_value = re.search(r'name="token" value="(\w+)"', text)[1]
        body = f"token={token_value}&request={'a' * 32}"
        sent = {**headers, "Content-Type": "application/x-www-form-urlencoded"}
        self.assertEqual(self.ask("POST", where + "/back", {**sent, "Origin": "https://evil.example"}, body).status, 403)
        self.assertEqual(self.ask("POST", where + "/back", {**sent, "Origin": f"https://{self.host}"}, body).status, 303)
        self.assertEqual(self.world.shown(self.tree)["revision"], 3)
        # A browser uses the same path, with the next address.
        phone = phone_browser(self.world, f"behind-{self.directory.name}")
        self.addCleanup(phone.quit)
        phone.get(self.web.stdout.readline().strip())
        self.assertTrue(eventually(lambda: f"{base}" in phone.current_url and "token=" not in phone.current_url))
        phone.get(f"https://{self.host}{base}flows/{self.tree}")
        self.assertIn("What is the visit for?", phone.page_source)
        self.world.control("send", self.tree, "sick")
        self.assertTrue(eventually(lambda: "How much does it hurt?" in phone.page_source))

    def test_nginx(self):
        self.begin("nginx")
        server = example("nginx").replace("listen 443 ssl", f"listen 127.0.0.1:{self.port} ssl")
        server = server.replace("kiosk.example;", "localhost;").replace("/run/kiosk/web.socket", str(self.socket))
        server = server.replace("/etc/ssl/kiosk.example.pem", str(self.certificate))
        server = server.replace("/etc/ssl/private/kiosk.example.key", str(self.key))
        user = "user root;" if os.geteuid() == 0 else ""
        places = "".join(
            f"{name}_temp_path {self.directory}/{name};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        configuration = self.directory / "nginx.conf"
        configuration.write_text(
            f"{user} daemon off; pid {self.directory}/pid; error_log {self.directory}/errors;\n"
            f"events {{}}\nhttp {{ access_log off; {places} {server} }}\n")
        self.world.start("nginx", "-c", configuration, "-p", self.directory, "-e", self.directory / "errors")
        self.walk()

    def test_caddy(self):
        self.begin("caddy")
        site = example("caddy").replace("kiosk.example {", f"https://{self.host} {{\n  tls {self.certificate} {self.key}")
        site = site.replace("/run/kiosk/web.socket", str(self.socket))
        configuration = self.directory / "Caddyfile"
        configuration.write_text(f"{{\n  admin off\n  auto_https off\n  storage file_system {self.directory}\n}}\n{site}")
        self.world.start("caddy", "run", "--config", configuration, "--adapter", "caddyfile")
        self.walk()


if __name__ == "__main__":
    main()
