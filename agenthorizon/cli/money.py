"""Writes sums of money."""


def dollars(amount: float | None) -> str:
    """Return US dollars as people read them: cents, or more digits where there are no cents."""
    if amount is None:
        return "unknown cost"
    return f"${amount:,.2f}" if amount >= 1 or amount == 0 else f"${amount:.4f}"
