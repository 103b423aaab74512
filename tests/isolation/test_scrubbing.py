"""Pictures leave what a CLI printed; everything else stays, in bounded memory."""

import base64
import json
import random
import subprocess
import sys

import pytest

from agenthorizon.judging.scrubbing import CHUNK, scrub, scrubbed

PICTURE = base64.b64encode(random.Random(5).randbytes(3000)).decode()


def clean(text, size=CHUNK):
    data = text.encode()
    return b"".join(scrubbed(iter([data[i : i + size] for i in range(0, len(data), size)]))).decode()


@pytest.mark.parametrize("size", [1, 7, 100, 4095, 4096, CHUNK])
def test_a_picture_goes_wherever_the_reading_is_cut_and_the_json_around_it_stays_whole(size):
    line = json.dumps({"type": "image", "data": PICTURE, "text": 'He said \\"no\\".'})
    found = clean(line + "\n" + line, size).split("\n")
    assert [json.loads(each) for each in found] == [
        {"type": "image", "data": f"(picture of {len(PICTURE)} characters)", "text": 'He said \\"no\\".'}
    ] * 2


def test_a_picture_inside_json_inside_json_goes_and_both_stay_whole():
    inner = json.dumps({"data": PICTURE})
    outer = json.loads(clean(json.dumps({"payload": inner})))
    assert json.loads(outer["payload"]) == {"data": f"(picture of {len(PICTURE)} characters)"}


def test_a_small_picture_is_known_by_its_first_bytes():
    assert "iVBOR" not in clean('{"data": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk"}')


def test_wrapped_base64_goes_plain_and_inside_json():
    wrapped = "\n".join(PICTURE[i : i + 76] for i in range(0, len(PICTURE), 76))
    assert clean(f"before\n{wrapped}\n").startswith("before\n(picture of ")
    text = json.loads(clean(json.dumps({"output": f"before\n{wrapped}\nafter."})))["output"]
    assert PICTURE[76:140] not in text
    assert text.startswith("before")
    assert text.endswith("after.")


def test_what_is_no_picture_stays():
    text = "/a/long/path/" + "folder/" * 20 + "\n" + "word " * 500 + "-" * 80 + "\n{}"
    assert clean(text) == text


def test_more_than_is_kept_is_cut_and_said(tmp_path):
    (tmp_path / "raw").write_text("many words, " * 1000)
    assert scrub(tmp_path / "raw", tmp_path / "kept", kept=100) is False
    assert (tmp_path / "kept").stat().st_size == 100


GIGABYTE = r"""
import re, sys
from pathlib import Path
from agenthorizon.judging.scrubbing import scrub
from agenthorizon.harness import Ended
from agenthorizon.plugins import implementation
folder = Path(sys.argv[1])
whole = scrub(folder / "raw", folder / "out")
account = implementation("harnesses", "claude_code")().account(Ended(folder / "out", folder / "err", folder, 0))
# The peak that getrusage gives is inherited from a larger parent; this one begins with the program.
peak = int(re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())[1]) / 1024
print(whole, account.status, account.pictures_opened, account.text, round(peak))
"""


def test_a_gigabyte_of_pictures_in_one_line_is_read_in_a_hundred_megabytes(tmp_path):
    head = '{"type": "user", "message": {"content": [{"type": "tool_result", "tool_use_id": "t1", "content": [{"type": '
    block = (PICTURE.rstrip("=") * 300).encode()[:CHUNK]
    with (tmp_path / "raw").open("wb") as file:
        file.write(f'{head}"image", "data": "'.encode())
        for _ in range(2**30 // len(block) + 1):
            file.write(block)
        file.write(b'"}]}]}}\n{"type": "result", "is_error": false, "result": "the end"}\n')
    command = [sys.executable, "-c", GIGABYTE, str(tmp_path)]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    (tmp_path / "raw").unlink()
    assert shown[:-1] == ["True", "ok", "1", "the", "end"]
    assert int(shown[-1]) < 100
