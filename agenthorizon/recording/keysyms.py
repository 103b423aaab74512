"""X11 keysyms → the characters they type.

Latin-1 keysyms and those of the form 0x1000000 + code point say it themselves. The older ones are a page number and a
byte of an eight-bit character set, so Python's own codecs read them; where a page was filled otherwise, its row stands
here.
"""

_UNICODE = 0x1000000
_PAGES = {
    0x01: "iso8859-2",
    0x02: "iso8859-3",
    0x03: "iso8859-4",
    0x05: "iso8859-6",
    0x06: "koi8-r",
    0x07: "iso8859-7",
    0x0C: "iso8859-8",
    0x0D: "tis-620",
    0x13: "iso8859-15",
}
_ROWS = {
    0x06A1: "ђѓёєѕіїјљњћќґўџ№ЂЃЁЄЅІЇЈЉЊЋЌҐЎЏ",
    0x07A1: "ΆΈΉΊΪ\0ΌΎΫ\0Ώ\0\0΅―\0άέήίϊΐόύϋΰώ",
    0x07D2: "Σ",
    0x07F2: "σς",
    0x20A0: "₠₡₢₣₤₥₦₧₨₩₪₫€",
    0x0AA1: "\u2003\u2002\u2004\u2005\u2007\u2008\u2009\u200a—–",
    0x0AD0: "‘’“”",
    0x0AAE: "…",
    0x0AC9: "™",
}
_KEYPAD = dict(zip(range(0xFFAA, 0xFFBA), "*+,-./0123456789", strict=True)) | {0xFFBD: "=", 0xFF80: " "}
_DEAD = dict(enumerate("\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0327\u0328", 0xFE50)) | {
    0xFE60: "\u0323",
    0xFE61: "\u0309",
    0xFE62: "\u031b",
    0xFE63: "\u0338",
}
"""Dead keys → combining characters."""


def character(keysym: int) -> str:
    """Return what a keysym types; empty where it types nothing or nobody here knows what."""
    if keysym in _KEYPAD:
        return _KEYPAD[keysym]
    if 0x20 <= keysym <= 0x7E or 0xA0 <= keysym <= 0xFF:
        return chr(keysym)
    if _UNICODE + 0x100 <= keysym <= _UNICODE + 0x10FFFF:
        return chr(keysym - _UNICODE)
    for first, row in _ROWS.items():
        if first <= keysym < first + len(row):
            return row[keysym - first].strip("\0")
    return _of_page(keysym)


def combining(keysym: int) -> str:
    """Return the combining character of a dead key; empty for any other."""
    return _DEAD.get(keysym, "")


def _of_page(keysym: int) -> str:
    codec, byte = _PAGES.get(keysym >> 8), keysym & 0xFF
    if codec is None or byte < 0xA0:
        return ""
    try:
        return bytes([byte]).decode(codec)
    except UnicodeDecodeError:
        return ""
