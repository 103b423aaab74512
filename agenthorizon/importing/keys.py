"""Names of keys as other programs write them (X11 keysyms, browser names, chords in one text) → PyAutoGUI's names."""

_NAMES = {
    "return": "enter",
    "kp_enter": "enter",
    "escape": "esc",
    "control": "ctrl",
    "control_l": "ctrl",
    "control_r": "ctrlright",
    "controlleft": "ctrl",
    "controlright": "ctrlright",
    "shift_l": "shift",
    "shift_r": "shiftright",
    "alt_l": "alt",
    "alt_r": "altright",
    "iso_level3_shift": "altright",
    "option": "option",
    "super": "win",
    "super_l": "win",
    "super_r": "winright",
    "meta": "win",
    "meta_l": "win",
    "meta_r": "winright",
    "cmd": "command",
    "command_l": "command",
    "del": "delete",
    "ins": "insert",
    "prior": "pageup",
    "page_up": "pageup",
    "next": "pagedown",
    "page_down": "pagedown",
    "arrowup": "up",
    "arrowdown": "down",
    "arrowleft": "left",
    "arrowright": "right",
    "back_space": "backspace",
    "caps_lock": "capslock",
    "num_lock": "numlock",
    "scroll_lock": "scrolllock",
    "print": "printscreen",
    "sys_req": "printscreen",
    "iso_left_tab": "tab",
    "menu": "apps",
    "comma": ",",
    "period": ".",
    "slash": "/",
    "backslash": "\\",
    "minus": "-",
    "plus": "+",
    "equal": "=",
    "semicolon": ";",
    "colon": ":",
    "apostrophe": "'",
    "quotedbl": '"',
    "grave": "`",
    "bracketleft": "[",
    "bracketright": "]",
    "underscore": "_",
    "asterisk": "*",
    "exclam": "!",
    "question": "?",
    "at": "@",
    "numbersign": "#",
    "dollar": "$",
    "percent": "%",
    "ampersand": "&",
    "parenleft": "(",
    "parenright": ")",
    "less": "<",
    "greater": ">",
    "bar": "|",
    "asciitilde": "~",
    "asciicircum": "^",
    "kp_add": "add",
    "kp_subtract": "subtract",
    "kp_multiply": "multiply",
    "kp_divide": "divide",
    "kp_decimal": "decimal",
} | {f"kp_{digit}": f"num{digit}" for digit in range(10)}

_WORDS = """
enter esc ctrl ctrlleft ctrlright shift shiftleft shiftright alt altleft altright win winleft winright command
option optionleft optionright fn backspace delete insert home end pageup pagedown up down left right tab space
capslock numlock scrolllock printscreen prtsc pause apps add subtract multiply divide decimal separator
volumeup volumedown volumemute playpause nexttrack prevtrack
"""
_PYAUTOGUI_OWN = frozenset(_WORDS.split()) | {f"f{n}" for n in range(1, 25)} | {f"num{n}" for n in range(10)}


def key_name(recorded: str) -> str:
    """Return PyAutoGUI's name of a key; one that is not known stays as recorded."""
    lowered = recorded.strip().lower() if len(recorded) > 1 else recorded
    if lowered in _NAMES:
        return _NAMES[lowered]
    return lowered if lowered in _PYAUTOGUI_OWN else recorded


def is_known_key(name: str) -> bool:
    """Whether a translated name is one of PyAutoGUI's: a single character or one of its words."""
    return len(name) == 1 or name in _PYAUTOGUI_OWN


def chord(recorded: str) -> list[str]:
    """Split `Ctrl+Shift+S` into its keys, translated; a lone `+` and `Ctrl++` keep their plus."""
    text = recorded.strip()
    if "+" not in text[:-1]:
        return [key_name(text or recorded)]
    ends_with_plus = text.endswith("++")
    parts = (text[:-2] if ends_with_plus else text).split("+")
    keys = [_in_chord(part) for part in parts if part.strip()]
    return [*keys, "+"] if ends_with_plus else keys


def _in_chord(recorded: str) -> str:
    """A letter of a chord names its key, whatever its case: Ctrl+S is not Ctrl+Shift+S."""
    name = key_name(recorded.strip())
    return name.lower() if len(name) == 1 else name
