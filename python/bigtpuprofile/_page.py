"""The program's own page in a notebook."""

import html
from pathlib import Path


class Page:
    """A page that a notebook draws in a frame; the frame has no access to the notebook."""

    def __init__(self, path: Path, state: str, height: int):
        self._text = Path(path).read_text(encoding="utf-8")
        self._state, self._height = state, int(height)

    def __repr__(self) -> str:
        return f"<Page: {self._state}, {len(self._text)} characters; a notebook draws it>"

    def _repr_html_(self) -> str:
        # The frame's name is the part of an address behind `#`, which a frame with its text inside can't have.
        return (
            f'<iframe sandbox="allow-scripts allow-downloads" name="{html.escape(self._state)}" width="100%" '
            f'height="{self._height}" style="border:0" srcdoc="{html.escape(self._text)}"></iframe>'
        )
