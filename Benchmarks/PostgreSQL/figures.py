"""The results of the benchmark, each beside its goal."""

import dataclasses
import math
import statistics
import sys


def show(text):
    """Shows progress in place, on a terminal."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def percentile(values, share):
    """Returns the smallest value that at least this share of the values do not exceed."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def spread(values, form):
    """Returns the range of values as text."""
    return f"{form.format(min(values))} to {form.format(max(values))}"


@dataclasses.dataclass
class Figure:
    """One row of the table. `goal` is a text for the table. `is_held` is None if there is no goal, or no result."""

    name: str
    result: str
    goal: str = "–"
    is_held: bool | None = None
    value: float | None = None
    reason: str | None = None

    @property
    def verdict(self):
        if self.reason is not None:
            return "failed"
        return "–" if self.is_held is None else "held" if self.is_held else "missed"


def ratio(name, values, least=None, most=None):
    """A figure from the ratios of all rounds: their median, with the range."""
    value = statistics.median(values)
    goal, is_held = ("–", None)
    if least is not None:
        goal, is_held = f"at least {least}×", value >= least
    elif most is not None:
        goal, is_held = f"at most {most}×", value <= most
    return Figure(name, f"{value:.2f}× ({spread(values, '{:.2f}')})", goal, is_held, value)


def duration(name, value, most=None, note=""):
    """A figure in seconds. The table has milliseconds, or seconds if the value is larger."""
    text = lambda seconds: f"{seconds:.2f} s" if abs(seconds) >= 1 else f"{seconds * 1000:.1f} ms"
    limit = "–" if most is None else f"at most {most:g} s" if most >= 0.5 else f"at most {most * 1000:g} ms"
    return Figure(
        name, text(value) + (f" ({note})" if note else ""), limit, None if most is None else value <= most, value)


def failure(name, reason):
    return Figure(name, "not measured", reason=reason)


def table(figures):
    """Returns the figures as lines with columns, and a line for each reason of failures."""
    rows = [("figure", "result", "goal", "")]
    rows += [(figure.name, figure.result, figure.goal, figure.verdict) for figure in figures]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
    lines.insert(1, "  ".join("-" * width for width in widths))
    # Several figures may have the same reason.
    reasons = dict.fromkeys(figure.reason for figure in figures if figure.reason)
    return "\n".join(lines + [f"failed: {reason}" for reason in reasons])
