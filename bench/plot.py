"""Plots as SVG: points and lines over two linear axes. They need no library."""
import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 720, 440
LEFT, RIGHT, TOP, BOTTOM = 64, 150, 40, 52
COLORS = ('#1b6ca8', '#c1440e', '#4c8c2b', '#7a4fa3', '#8a6d00', '#555555')


def ticks(high, n=6):
    """Round numbers from 0 to about `high`."""
    unit = 10 ** math.floor(math.log10(high))
    step = next(step for step in (unit / 5, unit / 2, unit, 2 * unit, 5 * unit) if high / step <= n)
    return [idx * step for idx in range(int(high / step * 1.0001) + 1)]


class Plot:
    """One diagram. Series are added, then it is written."""

    def __init__(self, title, x_label, y_label, x_high, y_high):
        self.labels = title, x_label, y_label
        self.x_high, self.y_high = x_high or 1, y_high or 1
        self.parts, self.legend = [], []

    def x(self, value):
        return LEFT + (WIDTH - LEFT - RIGHT) * value / self.x_high

    def y(self, value):
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * min(value, self.y_high) / self.y_high

    def color(self):
        return COLORS[len(self.legend) % len(COLORS)]

    def points(self, name, pairs):
        color = self.color()
        marks = (f'<circle cx="{self.x(x):.1f}" cy="{self.y(y):.1f}" r="2.6"/>' for x, y in pairs)
        self.parts.append(f'<g fill="{color}" fill-opacity="0.75">{"".join(marks)}</g>')
        self.legend.append((f'{name} ({len(pairs)})', color))

    def line(self, name, pairs):
        color = self.color()
        path = ' '.join(f'{self.x(x):.1f},{self.y(y):.1f}' for x, y in pairs)
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="1.8"/>')
        self.legend.append((name, color))

    def axes(self):
        bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
        parts = [f'<path d="M{LEFT},{TOP}V{bottom}H{right}" fill="none" stroke="#333"/>']
        for value in ticks(self.x_high):
            at = self.x(value)
            parts.append(f'<path d="M{at:.1f},{bottom}v5" stroke="#333"/>'
                         f'<text x="{at:.1f}" y="{bottom + 18}" text-anchor="middle">{value:g}</text>')
        for value in ticks(self.y_high):
            at = self.y(value)
            parts.append(f'<path d="M{LEFT},{at:.1f}H{right}" stroke="#ddd"/>'
                         f'<text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{value:g}</text>')
        return parts

    def texts(self):
        title, x_label, y_label = map(escape, self.labels)
        middle = (TOP + HEIGHT - BOTTOM) / 2
        parts = [f'<text x="{LEFT}" y="22" font-size="15">{title}</text>',
                 f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 12}" text-anchor="middle">{x_label}</text>',
                 f'<text transform="translate(16 {middle}) rotate(-90)" text-anchor="middle">{y_label}</text>']
        for idx, (name, color) in enumerate(self.legend):
            y = TOP + 10 + 20 * idx
            parts.append(f'<rect x="{WIDTH - RIGHT + 14}" y="{y - 9}" width="11" height="11" fill="{color}"/>'
                         f'<text x="{WIDTH - RIGHT + 31}" y="{y + 1}">{escape(name)}</text>')
        return parts

    def write(self, path):
        body = '\n'.join(self.axes() + self.parts + self.texts())
        with open(path, 'w') as out:
            out.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
                      f'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/>\n'
                      f'{body}\n</svg>\n')
