"""Reads URLs as a program does that stops at the end of the first gzip member.

Usage: first-member.py URL ACCEPT ... ; prints a JSON list of texts.
"""
import json
import sys
import urllib.request
import zlib

texts = []
for url, accept in zip(sys.argv[1::2], sys.argv[2::2]):
    request = urllib.request.Request(url, headers={"Accept": accept, "Accept-Encoding": "gzip"})
    with urllib.request.urlopen(request) as response:
        reader = zlib.decompressobj(wbits=31)
        text = reader.decompress(response.read())
    if not reader.eof:
        raise SystemExit(f"{url}: the member has no end")
    if reader.unused_data:
        raise SystemExit(f"{url}: {len(reader.unused_data)} bytes follow the first member")
    texts.append(text.decode())
json.dump(texts, sys.stdout)
