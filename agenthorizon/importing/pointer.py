"""Follows the mouse pointer through a recording, to say where an action without a position of its own was done."""

from agenthorizon.importing.scale import is_number
from agenthorizon.task import Action

MOVE_BY, DRAG_BY = "move_by", "drag_by"
"""Relative movements, `dx` and `dy` in pixels, while nobody knows from where."""

_AT_POINTER = frozenset({"click", "scroll", "mouse_down", "mouse_up"})


class Pointer:
    """Where the pointer is; unknown until the first action with a position."""

    def __init__(self) -> None:
        self._at: tuple[float, float] | None = None

    def follow(self, action: Action) -> Action:
        """Return the action with the position it was done at, where the actions before tell, and go there."""
        if self._at is not None:
            action = self._placed(action, *self._at)
        self._go(action)
        return action

    def _placed(self, action: Action, x: float, y: float) -> Action:
        given = action.parameters
        if action.type in _AT_POINTER and "x" not in given and "element" not in given:
            return Action(type=action.type, parameters={"x": x, "y": y, **given})
        if action.type == "drag" and "start_x" not in given:
            return Action(type="drag", parameters={"start_x": x, "start_y": y, **given})
        if action.type in (MOVE_BY, DRAG_BY):
            return _absolute(action, x, y)
        return action

    def _go(self, action: Action) -> None:
        names = ("end_x", "end_y") if action.type == "drag" else ("x", "y")
        x, y = (action.parameters.get(name) for name in names)
        if is_number(x) and is_number(y):
            self._at = x, y
        elif action.type in (MOVE_BY, DRAG_BY):
            self._at = None


def _absolute(action: Action, x: float, y: float) -> Action:
    rest = {key: value for key, value in action.parameters.items() if key not in ("dx", "dy")}
    to_x, to_y = x + action.parameters["dx"], y + action.parameters["dy"]
    if action.type == MOVE_BY:
        return Action(type="move", parameters={"x": to_x, "y": to_y, **rest})
    return Action(type="drag", parameters={"start_x": x, "start_y": y, "end_x": to_x, "end_y": to_y, **rest})
