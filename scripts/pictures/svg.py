"""A picture as SVG text: shapes by class, in colours for light and for dark pages."""

import html

SANS = "-apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif"
MONO = "'SF Mono', Consolas, 'Liberation Mono', 'DejaVu Sans Mono', monospace"

# Of each class of boxes the fill and the stroke, on light and on dark pages.
COLOURS = {
    "card": (("#ffffff", "#d5dce4"), ("#1a2028", "#39444f")),
    "grey": (("#eff2f5", "#a9b4bf"), ("#29323c", "#5d6b79")),
    "blue": (("#dcebfa", "#3676b8"), ("#1d3d5e", "#74b3f2")),
    "green": (("#dcf2e4", "#2f8053"), ("#1b4430", "#6fcb98")),
    "amber": (("#fdebc8", "#b4720a"), ("#4b3812", "#e3ae55")),
    "red": (("#fbe2e2", "#b8393e"), ("#512628", "#f19292")),
    "band": (("#f6f8fa", "#e2e7ec"), ("#20272f", "#323c46")),
    "open": (("none", "#7a8794"), ("none", "#8795a3")),
}
TEXT = ("#1d2731", "#e7ecf2")
MUTED = ("#566472", "#a3b1bf")
LINE = ("#566472", "#a3b1bf")


def style():
    def sheet(side):
        rules = [f".{name} {{ fill: {pair[side][0]}; stroke: {pair[side][1]}; }}"
                 for name, pair in COLOURS.items()]
        rules += [f"text {{ fill: {TEXT[side]}; }}",
                  f".note {{ fill: {MUTED[side]}; }}",
                  f".line {{ stroke: {LINE[side]}; fill: none; }}",
                  f".head {{ fill: {LINE[side]}; }}"]
        return "\n".join(rules)

    fixed = "\n".join([
        f"text {{ font: 14px {SANS}; }}",
        ".title { font-weight: 600; }",
        f".code {{ font: 13px {MONO}; }}",
        ".note { font-size: 12.5px; }",
        f".tiny {{ font: 10px {SANS}; }}",
        ".small { font-size: 11.5px; }",
        f".cell {{ font: 8px {SANS}; }}",
        ".line { stroke-width: 1.5; }",
        ".dashed { stroke-dasharray: 5 4; }",
    ])
    dark = "\n".join("  " + rule for rule in sheet(1).splitlines())
    return f"{fixed}\n{sheet(0)}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}"


def number(value):
    return f"{value:.2f}".rstrip("0").rstrip(".")


class Picture:
    """Grows shape by shape; `text()` is the file."""

    def __init__(self, width, height, title, description):
        self.width, self.height = width, height
        self.title, self.description = title, description
        self.shapes = []

    def box(self, x, y, width, height, kind, radius=6):
        x, y, width, height, radius = map(number, (x, y, width, height, radius))
        self.shapes.append(f'<rect class="{kind}" x="{x}" y="{y}" width="{width}" '
                           f'height="{height}" rx="{radius}"/>')

    def write(self, x, y, words, kind="", anchor="start"):
        kind = f' class="{kind}"' if kind else ""
        at = "" if anchor == "start" else f' text-anchor="{anchor}"'
        self.shapes.append(f'<text{kind} x="{number(x)}" y="{number(y)}"{at}>'
                           f"{html.escape(words, quote=False)}</text>")

    def lines(self, x, y, rows, kind="note", step=17, anchor="start"):
        for at, words in enumerate(rows):
            self.write(x, y + at * step, words, kind, anchor)

    def labelled(self, x, y, width, height, kind, title, notes=(), code=False):
        """A box with a title, and notes below it, in its middle."""
        self.box(x, y, width, height, kind)
        middle, step = x + width / 2, 17
        top = y + height / 2 + 5 - step * len(notes) / 2
        self.write(middle, top, title, "code" if code else "title", "middle")
        self.lines(middle, top + step, notes, "note", step, "middle")

    def path(self, points, arrow=True, dashed=False):
        """A line through points, of which each step is level or upright."""
        way = "M" + " L".join(f"{number(x)} {number(y)}" for x, y in points)
        kind = "line dashed" if dashed else "line"
        end = ""
        if arrow:
            (x0, y0), (x, y) = points[-2:]
            dx, dy = (x > x0) - (x < x0), (y > y0) - (y < y0)
            corners = [(x, y), (x - 8 * dx - 4.5 * dy, y - 8 * dy - 4.5 * dx),
                       (x - 8 * dx + 4.5 * dy, y - 8 * dy + 4.5 * dx)]
            tip = " ".join(f"{number(a)},{number(b)}" for a, b in corners)
            end = f'\n<polygon class="head" points="{tip}"/>'
        self.shapes.append(f'<path class="{kind}" d="{way}"/>{end}')

    def text(self):
        shapes, self.shapes = self.shapes, []
        self.box(0.5, 0.5, self.width - 1, self.height - 1, "card", 10)
        return "\n".join([
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
            f'width="{self.width}" height="{self.height}" role="img" '
            'aria-labelledby="title desc">',
            f'<title id="title">{html.escape(self.title, quote=False)}</title>',
            f'<desc id="desc">{html.escape(self.description, quote=False)}</desc>',
            f"<style>\n{style()}\n</style>",
            *self.shapes, *shapes,
            "</svg>\n",
        ])
