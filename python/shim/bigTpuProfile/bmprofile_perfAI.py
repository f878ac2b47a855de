"""The parser under its old import path."""

from bigtpuprofile.compat import BMProfileParserPerfAI, ProfileParser, ProfileResult

__all__ = ["BMProfileParserPerfAI", "ProfileParser", "ProfileResult"]
