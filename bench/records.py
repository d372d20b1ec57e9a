"""Records of runs as JSON lines, and tables from them."""
import json, math, os, threading

lock = threading.Lock()


class Book:
    """An --out file: what is known, and where new records go. A record is identified by its `key`."""

    def __init__(self, path, fresh):
        self.path, self.known = path, {}
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        if not fresh and os.path.exists(path):
            for record in read(path):
                self.known[tuple(record['key'])] = record

    def get(self, key):
        return self.known.get(tuple(key))

    def add(self, key, record):
        record['key'] = list(key)
        with lock:
            self.known[tuple(key)] = record
            with open(self.path, 'a') as out:
                out.write(json.dumps(record) + '\n')
        return record


def read(path):
    """The records of a file. An incomplete line after a kill is skipped."""
    found = []
    for line in open(path):
        try:
            found.append(json.loads(line))
        except ValueError:
            pass
    return found


def geometric_mean(values):
    values = [value for value in values if value and value > 0]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def show(value, digits=2):
    if value is None:
        return '-'
    if isinstance(value, bool):
        return 'yes' if value else '**no**'
    if isinstance(value, float):
        is_lost = 0 < value < 0.5 * 10 ** -digits
        return f'{value:.1e}' if is_lost else f'{value:,.{digits}f}'
    return f'{value:,}' if isinstance(value, int) else str(value)


def table(heads, rows):
    """A Markdown table. The first column is left-aligned, the others right."""
    lines = ['| ' + ' | '.join(heads) + ' |', '|---|' + '---:|' * (len(heads) - 1)]
    lines += ['| ' + ' | '.join(show(cell) for cell in row) + ' |' for row in rows]
    return '\n'.join(lines)
