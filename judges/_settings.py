"""How a chat model is asked: what the judges that ask one can be set to, on the command line and in judge files."""

import os
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PositiveInt, ValidationError, field_validator, model_validator

from agenthorizon.evidence.limits import limits_of
from agenthorizon.judge import Limits, View
from agenthorizon.judging.addresses import checked_address
from agenthorizon.prompts import verdict_schema

from ._route import route_class

_LITELLM_PREFIXES = frozenset({"anthropic", "azure", "bedrock", "gemini", "vertex_ai"})


class Settings(BaseModel):
    """How a chat model is asked."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    model: str = Field(min_length=1)
    route: Literal["openai", "litellm"] = "openai"
    """How requests travel. openai: to any OpenAI-compatible server; a request goes out in pieces, so that hundreds of
    screenshots take little memory. litellm (extra `providers`): to the others, the request in one piece; it is taken
    when the model is named as there, e.g. anthropic/claude-…, gemini/…, bedrock/…, and no address is given."""
    base_url: str | None = None
    """Where the server's chat API begins, e.g. http://127.0.0.1:8000/v1; if not given, OPENAI_BASE_URL, else OpenAI."""
    key_env: str = "OPENAI_API_KEY"
    """Name of the environment variable that holds the key."""
    image_size: tuple[PositiveInt, PositiveInt] | None = (512, 332)
    """Box that every screenshot is shrunk into; "none" sends them as recorded."""
    image_quality: int = Field(60, ge=1, le=100)
    image_format: Literal["jpeg", "png", "webp"] = "jpeg"
    merge: Literal["auto", "always", "never"] = "auto"
    """Screenshots merged into grids: when the number of pictures is the limit, 2×2 always, never."""
    number_tiles: bool = False
    """Draw its step's number on every screenshot of a grid."""
    provider: str | None = None
    """Whose limits hold, by its name in the table of limits; if not given, by the server's address."""
    limits: dict[str, float | None] = Field(default_factory=dict)
    """Limits of this server that differ from the table's, e.g. images = 5; "none" lifts one."""
    temperature: float | None = Field(0, ge=0)
    """"none" leaves it to the server; some reasoning models accept no other."""
    max_tokens: PositiveInt | None = None
    """Limit of the answer, thoughts included."""
    seed: int | None = None
    reasoning_effort: str | None = None
    thinking_budget: PositiveInt | None = None
    """Tokens of thought, where the model counts them."""
    enable_thinking: bool | None = None
    """Whether the model thinks, where that is a switch."""
    json_schema: bool = False
    """Hold the model to the reply contract as a JSON Schema; without it the prompt alone asks for the form."""
    extra_body: dict[str, Any] = Field(default_factory=dict)
    """Further fields of the request, as the server names them."""

    @field_validator("image_size", "temperature", mode="before")
    @classmethod
    def _none_as_text(cls, value: Any) -> Any:
        return None if value == "none" else value  # TOML and command lines have no null

    @field_validator("limits", mode="before")
    @classmethod
    def _known_limits(cls, value: Any) -> Any:
        overrides = {name: None if limit == "none" else limit for name, limit in dict(value).items()}
        try:
            limits_of("unknown", overrides)
        except ValidationError as error:
            names = ", ".join(Limits.model_fields)
            raise ValueError(f"{error.errors()[0]['loc'][0]}: {error.errors()[0]['msg']} (limits: {names})") from None
        return overrides

    @model_validator(mode="before")
    @classmethod
    def _resolve(cls, given: Any) -> Any:
        """Fix route and address now, so that the run's configuration says where its answers came from."""
        if not isinstance(given, dict):
            return given
        named = str(given.get("model", "")).partition("/")[0]
        url = given.get("base_url") or None
        compatible = url or os.environ.get("OPENAI_BASE_URL") or named not in _LITELLM_PREFIXES
        route = given.get("route") or ("openai" if compatible else "litellm")
        if route == "openai" and url is None:
            url = os.environ.get("OPENAI_BASE_URL") or None
        return {**given, "route": route, "base_url": url}

    @field_validator("base_url")
    @classmethod
    def _usable(cls, url: str | None) -> str | None:
        return None if url is None else checked_address(url)

    @property
    def view(self) -> View:
        """How it wants its screenshots."""
        return View(fit=self.image_size, format=self.image_format, quality=self.image_quality)

    @property
    def endpoint(self) -> str | None:
        """Where its requests really go, whose limits it shares with all that ask there; None where a client knows."""
        return route_class(self.route).address(self)

    def without_schema(self) -> "Settings":
        """Return the settings for a request that asks for no verdict."""
        return self.model_copy(update={"json_schema": False}) if self.json_schema else self

    @property
    def response_format(self) -> dict[str, Any] | None:
        """The reply contract as servers take it; None where the prompt alone asks for it."""
        if not self.json_schema:
            return None
        return {"type": "json_schema", "json_schema": {"name": "verdict", "strict": True, "schema": verdict_schema()}}
