"""What an address of a model server must look like to be asked and recorded."""

from urllib.parse import urlsplit


def checked_address(url: str) -> str:
    """Return an address that can be asked. Raises ValueError that says what is wrong with any other."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError as error:  # a bracket left open, a port that is none
        raise ValueError(f"is no address: {error}") from error
    if not usable:
        raise ValueError("must begin with http:// or https:// and a host")
    if parts.username or parts.password:
        raise ValueError("must not hold a password, since it is recorded; put the key into a variable")
    return url
