"""A phone for the tests: reads a QR code from a terminal's screen, and opens its address in a separate browser."""

import struct
import subprocess
import zlib

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

# The halves of a cell that each character of a code fills: the upper and the lower one.
HALVES = {"█": (1, 1), "▀": (1, 0), "▄": (0, 1), " ": (0, 0)}


def photograph(text, path, scale=8):
    """Draws the half blocks of a terminal's screen, white on black, as a PNG picture. Letters stay black."""
    lines = text.rstrip("\n").split("\n")
    width = max(map(len, lines))
    rows = []
    for line in lines:
        halves = [HALVES.get(character, (0, 0)) for character in line.ljust(width)]
        for half in (0, 1):
            row = b"".join((b"\xff" if cell[half] else b"\0") * scale for cell in halves)
            rows += [b"\0" + row] * scale

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width * scale, len(rows), 8, 0, 0, 0, 0)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"".join(rows))) + chunk(b"IEND", b""))


def scan(path):
    """Returns the text of the QR code in a picture; an empty text if there is none."""
    command = ["zbarimg", "--quiet", "--raw", "--oneshot", str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def phone_browser(world, name="phone"):
    """A browser with a separate profile and the screen of a phone. It accepts unknown certificates, like the owner of a
    phone who has compared the fingerprint."""
    options = Options()
    for option in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
        options.add_argument(option)
    options.add_argument(f"--user-data-dir={world.home}/{name}")
    options.accept_insecure_certs = True
    options.add_experimental_option("mobileEmulation", {
        "deviceMetrics": {"width": 390, "height": 844, "pixelRatio": 3.0},
        "userAgent": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
                     "Version/18.5 Mobile/15E148 Safari/604.1"})
    log = str(world.work / f"chromedriver-{name}.log")
    driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver", log_path=log))
    driver.set_page_load_timeout(20)
    return driver
