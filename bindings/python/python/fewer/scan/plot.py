"""Bars of what is the most, as a page, a picture of vectors or of dots."""

from __future__ import annotations

import html
import importlib
from pathlib import Path
from typing import List, Tuple

# Sizes of the picture, in pixels.
WIDTH, ROW, TEXT = 900, 22, 420


def plot(rows: List[Tuple[int, str]], title: str, unit: str, path: Path) -> None:
    """Writes the bars to a file whose ending says as what: ``.html``, ``.svg``, or ``.png``, which
    matplotlib makes.
    """
    labels = [(f"{amount(value, unit)}  {label}", value) for value, label in rows]
    if path.suffix == ".png":
        _png(labels, title, path)
    elif path.suffix == ".svg":
        path.write_text(svg(labels, title), encoding="utf-8")
    elif path.suffix == ".html":
        head = f"<!doctype html><meta charset=utf-8><title>{html.escape(title)}</title>"
        path.write_text(f"{head}\n{svg(labels, title)}\n", encoding="utf-8")
    else:
        raise ValueError(f"'{path}' ends neither in .html nor in .svg nor in .png")


def svg(labels: List[Tuple[str, int]], title: str) -> str:
    most = max((value for _, value in labels), default=0) or 1
    height = ROW * (len(labels) + 2)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        'font-family="sans-serif" font-size="12">',
        f'<text x="8" y="{ROW}" font-size="15">{html.escape(title)}</text>',
    ]
    for number, (label, value) in enumerate(labels, 1):
        length = max(1, round((WIDTH - TEXT - 8) * value / most))
        y = ROW * number + 12
        lines.append(f'<text x="8" y="{y + 13}">{html.escape(_shortened(label))}</text>')
        lines.append(f'<rect x="{TEXT}" y="{y}" width="{length}" height="{ROW - 6}" fill="#47a"/>')
    return "\n".join([*lines, "</svg>"])


def _shortened(label: str) -> str:
    return label if len(label) <= 60 else f"{label[:20]} … {label[-37:]}"


def amount(value: int, unit: str) -> str:
    """A number for people: ``1.5 GiB``, ``3.2 days``."""
    if unit == "seconds":
        return f"{value / 86400:,.1f} days"
    number = float(value)
    for prefix in ("", "Ki", "Mi", "Gi", "Ti"):
        if number < 1024:
            return f"{number:.1f} {prefix}B" if prefix else f"{value} B"
        number /= 1024
    return f"{number:,.1f} PiB"


def _png(labels: List[Tuple[str, int]], title: str, path: Path) -> None:
    try:
        matplotlib = importlib.import_module("matplotlib")
    except ImportError:
        need = "a .png needs matplotlib (pip install matplotlib); .html does not"
        raise ValueError(need) from None
    matplotlib.use("agg")
    pyplot = importlib.import_module("matplotlib.pyplot")
    figure, axes = pyplot.subplots(figsize=(11, 1 + len(labels) / 4), layout="constrained")
    axes.barh([_shortened(label) for label, _ in labels], [value for _, value in labels])
    axes.invert_yaxis()
    axes.set_title(title)
    figure.savefig(path)
