#!/usr/bin/python3
"""Replaces useradd, chpasswd and locale on the path: the first two do their work, and record it; `locale` knows two
locales."""

import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import hooks  # noqa: E402

name = os.path.basename(sys.argv[0])
if name == "locale":
    print("C.utf8\nde_DE.utf8")
    sys.exit()
if not hooks.may(name):
    sys.exit(f"{name} is broken.")
status = subprocess.call([f"/usr/sbin/{name}", *sys.argv[1:]])
if status == 0:
    hooks.changed(name)
sys.exit(status)
