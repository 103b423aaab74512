"""Has a coding-agent CLI explore one task's folder with its own tools: isolated, metered, bounded.

Named by its harness: `codex:gpt-5.5`. The harness says how its CLI is launched and read; everything else is here.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from pydantic import Field, PositiveFloat, PositiveInt, PrivateAttr, model_validator

from agenthorizon import plugins
from agenthorizon.errors import UsageError
from agenthorizon.harness import Harness
from agenthorizon.isolation import installs, sandbox
from agenthorizon.isolation.episode import Episode, EpisodeLimits
from agenthorizon.isolation.routes import Endpoint
from agenthorizon.isolation.workplace import remove_abandoned
from agenthorizon.judge import Case, Judge, Reply, View
from agenthorizon.judging.addresses import checked_address

_ENDPOINTS = {
    "responses": ("OPENAI_BASE_URL", "https://api.openai.com/v1"),
    "chat": ("OPENAI_BASE_URL", "https://api.openai.com/v1"),
    "messages": ("ANTHROPIC_BASE_URL", "https://api.anthropic.com"),
    "gemini": ("GOOGLE_GEMINI_BASE_URL", "https://generativelanguage.googleapis.com"),
}
_KEYS = {
    "responses": "OPENAI_API_KEY",
    "chat": "OPENAI_API_KEY",
    "messages": "ANTHROPIC_API_KEY",
    "gemini": "GEMINI_API_KEY",
}


class Agentic(Judge):
    """A coding-agent CLI that reads the task from disk; named HARNESS:MODEL."""

    sends_requests: ClassVar[bool] = True
    keeps_time: ClassVar[bool] = True
    has_published_view: ClassVar[bool] = False
    unrecorded: ClassVar[frozenset[str]] = frozenset({"key_env", "idle"})

    harness: str
    """Name of the harness: see `agenthorizon harnesses list`."""
    model: str = ""
    base_url: str | None = None
    """Where the model answers, through the door; if not given, the variable its vendor uses, else the vendor."""
    key_env: str | None = None
    """Name of the variable that holds the key; if not given, the vendor's. The CLI never gets it."""
    isolation: sandbox.Isolation = "bubblewrap"
    seconds: PositiveFloat = 1800
    """Wall clock of one task, which the agent is told; --timeout sets it, too."""
    idle: PositiveFloat = 600
    """Seconds without any output and without a byte from the model after which it is ended."""
    requests: PositiveInt = 400
    """Most model requests of one task, which the agent is told."""
    dollars: PositiveFloat | None = None
    """Most money of one task; needs prices."""
    longest_side: PositiveInt | None = None
    """Pixels; larger screenshots are shrunk. If not given, what the harness needs, else their recorded size."""
    version: str | None = None
    """Another version of the CLI than the tested one."""
    options: dict[str, Any] = Field(default_factory=dict)
    """Settings of the harness itself; in a TOML file they may stand beside the others."""

    _harness: Harness = PrivateAttr()

    @model_validator(mode="before")
    @classmethod
    def _sort(cls, given: Any) -> Any:
        """Take the settings that are the harness's own for its options."""
        if not isinstance(given, dict) or "harness" not in given:
            return given
        others = given.keys() - cls.model_fields.keys()
        options = {**given.get("options", {}), **{name: given[name] for name in others}}
        kept = {name: value for name, value in given.items() if name not in others}
        return kept | {"harness": str(given["harness"]).replace("-", "_"), "options": options}

    @model_validator(mode="after")
    def _complete(self) -> "Agentic":
        """Fix what was left open now, so that the run's configuration says it."""
        made = plugins.implementation("harnesses", self.harness)(**self.options)
        fixed: dict[str, Any] = {"_harness": made}
        if made.needs_model and not self.model:
            raise ValueError(f"name the model: {self.harness}:MODEL")
        if self.model and self.base_url is None:
            variable, vendor = _ENDPOINTS[made.speaks()]
            fixed["base_url"] = os.environ.get(variable) or vendor
        if self.longest_side is None:
            fixed["longest_side"] = made.longest_side
        if self.dollars is not None and self.prices is None:
            raise ValueError("a limit in dollars needs prices: prices = { input = …, output = … }")
        for name, value in fixed.items():
            object.__setattr__(self, name, value)  # the record is frozen for everybody else
        if self.base_url is not None:
            try:
                checked_address(self.base_url)
            except ValueError as error:
                raise ValueError(f"base_url {error}") from error
        return self

    def see_from(self, folder: Path) -> None:
        """Have the harness look up relative paths in a folder first: that of the file which sets this judge up."""
        object.__setattr__(self, "_harness", self._harness.seen_from(folder))

    @property
    def prompts(self) -> tuple[str, ...]:
        """The guide and how to work."""
        return ("guide", "agent")

    @property
    def view(self) -> View:
        """Full size as PNG, or fitted into a square where the CLI needs that."""
        box = (self.longest_side, self.longest_side) if self.longest_side else None
        return View(fit=box, format="png")

    @property
    def deviations(self) -> tuple[str, ...]:
        """What of its settings departs from the published protocol."""
        shrunk = (f"screenshots within {self.longest_side} px",) if self.longest_side else ()
        own = () if self._harness.package else ("an agent of the user's own",)
        return (*own, *shrunk, *(("not isolated",) if self.isolation == "none" else ()))

    def facts(self) -> Mapping[str, Any]:
        """Return the CLI's version. Raises UsageError when it is not installed or cannot be isolated.

        A run asks this before its first task, so that folders of killed runs are removed here.
        """
        sandbox.require(self.isolation)
        remove_abandoned()
        return {"version": self._installed().version, "options": self._harness.model_dump(mode="json")}

    async def judge(self, case: Case) -> Reply:
        """Run the CLI over one case."""
        episode = Episode(
            harness=self._harness,
            installed=self._installed(),
            endpoint=self._endpoint(),
            isolation=self.isolation,
            limits=EpisodeLimits(self.seconds, self.idle, self.requests, self.dollars, self.prices),
        )
        return await episode.play(case)

    def _installed(self) -> installs.Installed:
        package = self._harness.package
        found = installs.find(self.harness, package, self.version) if package else installs.own(self._harness.needs())
        if found is None:
            wanted = self.harness + (f"@{self.version}" if self.version else "")
            raise UsageError(f"{self.harness} is not installed: agenthorizon harnesses install {wanted}")
        return found

    def _endpoint(self) -> Endpoint | None:
        if not self.base_url:
            return None
        protocol = self._harness.speaks()
        variable = self.key_env or _KEYS[protocol]
        key = os.environ.get(variable, "").strip()
        if not key and self.base_url == _ENDPOINTS[protocol][1]:
            raise UsageError(
                f"{self.base_url} wants a key, and the variable {variable} holds none: export {variable}=…, or name a "
                "server that needs none with --base-url URL (base_url in a judge file)"
            )
        return Endpoint(protocol, self.base_url, self.model, key or None)
