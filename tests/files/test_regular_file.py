"""Only regular files are read: what would be waited for for ever is refused at once."""

import os
import socket
from pathlib import Path

import pytest

from agenthorizon.errors import DataError
from agenthorizon.files.jsonlines import read_lines
from agenthorizon.files.regular_file import open_regular, read_regular


def open_descriptors():
    return len(list(Path("/proc/self/fd").iterdir()))


def test_a_file_is_read(tmp_path):
    (tmp_path / "a").write_bytes(b"x\ny")
    assert read_regular(tmp_path / "a") == b"x\ny"


def test_a_link_to_a_file_is_read(tmp_path):
    (tmp_path / "a").write_bytes(b"x")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    assert read_regular(tmp_path / "b") == b"x"


def test_a_named_pipe_is_refused_without_waiting(tmp_path):
    os.mkfifo(tmp_path / "a")
    with pytest.raises(OSError, match="is a named pipe, not a regular file"):
        open_regular(tmp_path / "a")


def test_a_folder_is_refused(tmp_path):
    with pytest.raises(OSError, match="is a folder, not a regular file"):
        open_regular(tmp_path)


def test_a_device_is_refused():
    with pytest.raises(OSError, match="is a device, not a regular file"):
        open_regular("/dev/zero")


def test_a_socket_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("s")
        with pytest.raises(OSError, match="s"):
            open_regular("s")


def test_no_descriptor_is_left_open_by_a_refusal(tmp_path):
    before = open_descriptors()
    for _ in range(20):
        with pytest.raises(OSError, match="is a folder"):
            open_regular(tmp_path)
    assert open_descriptors() == before


def test_lines_of_what_is_no_file_are_bad_data(tmp_path):
    os.mkfifo(tmp_path / "labels.jsonl")
    with pytest.raises(DataError, match=r"labels\.jsonl cannot be read: is a named pipe"):
        list(read_lines(tmp_path / "labels.jsonl"))


def test_a_file_is_read_up_to_the_most_that_is_allowed_and_refused_beyond(tmp_path):
    (tmp_path / "a").write_bytes(b"12345")
    assert read_regular(tmp_path / "a", most=5) == b"12345"
    with pytest.raises(OSError, match="is larger than 4 bytes"):
        read_regular(tmp_path / "a", most=4)
