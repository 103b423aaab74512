"""Tells which judges ask one place, and so share its limits."""

from typing import Any

from agenthorizon.judging.judge_traits import traits_of


def endpoint_of(judge: Any) -> str:
    """Return what stands for the place a judge asks: judges with the same one share its limits.

    Its address, with or without its version, as settings write it either way; only where there is none, its class.
    """
    traits = traits_of(judge)
    if traits.endpoint is not None:
        return traits.endpoint.rstrip("/").removesuffix("/v1")
    provider, slash, _ = (traits.model or "").partition("/")
    cls = type(judge)
    return f"{cls.__module__}:{cls.__qualname__}:{provider if slash else ''}"
