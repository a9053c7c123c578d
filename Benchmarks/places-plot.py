"""Plots the results of the simulation of places: python3 places-plot.py places.json WRONG.svg BY-DAY.svg"""

import json
import sys

COLOURS = ["#1a7f37", "#cf222e", "#bc4c00", "#8250df", "#1f6feb"]


def share(system):
    """The wrong answers to launches with known work, in percent."""
    known = system["known"]
    return 100 * known["wrong"] / max(1, sum(known.values()))


def head(title, width, height):
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
        f"<title>{title}</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        f'<text x="16" y="22" fill="#24292f">{title}</text>',
    ]


def write(lines, target):
    with open(target, "w", encoding="utf-8") as file:
        file.write("\n".join(lines + ["</svg>", ""]))


def bars(results, target):
    """A bar for each system, and a line at the bar that Placekeeper must reach."""
    width, left, right, row = 720, 170, 90, 34
    systems = results["systems"]
    top = max(share(system) for system in systems)
    scale = (width - left - right) / top
    height = 50 + row * len(systems)
    lines = head("Launches that lead elsewhere than to the last work, in percent", width, height)
    for number, system in enumerate(systems):
        y, value = 40 + row * number, share(system)
        lines.append(
            f'<text x="{left - 8}" y="{y + 16}" text-anchor="end" fill="#24292f">{system["name"]}</text>'
            f'<rect x="{left}" y="{y}" width="{max(1, value * scale):.1f}" height="24" fill="{COLOURS[number]}"/>'
            f'<text x="{left + value * scale + 8:.1f}" y="{y + 16}" fill="#24292f">{value:.2f} %</text>'
        )
    write(lines, target)


def by_day(results, target):
    """The share of wrong launches by the day, each day with the two days around it."""
    width, height, left, right, top, bottom = 720, 320, 50, 170, 40, 48
    days, known = results["days"], results["knownByDay"]

    def shares(system):
        wrong = system["wrongByDay"]
        windows = [range(max(0, day - 1), min(days, day + 2)) for day in range(days)]
        return [100 * sum(wrong[d] for d in w) / max(1, sum(known[d] for d in w)) for w in windows]

    series = [(system["name"], shares(system)) for system in results["systems"]]
    most = max(10, -(-max(max(values) for _, values in series) // 10) * 10)

    def x(day):
        return left + day / max(1, days - 1) * (width - left - right)

    def y(value):
        return height - bottom - value / most * (height - bottom - top)

    lines = head("Launches that lead elsewhere, in percent of a day's launches with known work", width, height)
    for step in range(0, int(most) + 1, 10):
        lines.append(
            f'<path d="M{left} {y(step):.1f}H{width - right}" stroke="#d0d7de"/>'
            f'<text x="{left - 8}" y="{y(step) + 4:.1f}" text-anchor="end" fill="#57606a">{step}</text>'
        )
    for day in range(0, days, max(1, days // 6)):
        lines.append(f'<text x="{x(day):.1f}" y="{height - 28}" text-anchor="middle" fill="#57606a">{day + 1}</text>')
    lines.append(f'<text x="{(left + width - right) / 2}" y="{height - 10}" text-anchor="middle" fill="#24292f">day</text>')
    # Labels of lines that end close to each other are moved apart.
    last = height
    for number, (name, values) in sorted(enumerate(series), key=lambda entry: entry[1][1][-1]):
        points = " ".join(f"{x(day):.1f},{y(value):.1f}" for day, value in enumerate(values))
        last = min(last - 14, y(values[-1]) + 4)
        lines.append(
            f'<polyline points="{points}" fill="none" stroke="{COLOURS[number]}" stroke-width="2"/>'
            f'<text x="{width - right + 8}" y="{last:.1f}" fill="{COLOURS[number]}">{name}</text>'
        )
    write(lines, target)


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as source:
        data = json.load(source)
    bars(data, sys.argv[2])
    by_day(data, sys.argv[3])
