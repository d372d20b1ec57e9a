// Syntax highlighting of one line. Only visible lines are highlighted.

const C_KEYS = 'auto break case char const continue default do double else enum extern float for goto if inline int long register return short signed sizeof static struct switch typedef union unsigned void volatile while _Bool assert __CPROVER_assume __CPROVER_assert';
const SMT_KEYS = 'assert check-sat check-sat-assuming declare-const declare-datatype declare-datatypes declare-fun declare-sort define-const define-fun define-fun-rec define-funs-rec define-sort echo exit get-assignment get-info get-model get-option get-unsat-core get-value pop push reset reset-assertions set-info set-logic set-option let forall exists';

const words = (text) => new Set(text.split(' '));
const LANGUAGES = {
  c: { keys: words(C_KEYS), token: /\/\/.*|\/\*.*?(?:\*\/|$)|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|\b0[xX][0-9a-fA-F]+\w*|\b\d[\w.]*|[A-Za-z_]\w*|^\s*#\s*\w+/g },
  smt2: { keys: words(SMT_KEYS), token: /;.*|"(?:[^"]|"")*"?|\|[^|]*\|?|#x[0-9a-fA-F]+|#b[01]+|:[^\s()]+|\b\d+(?:\.\d+)?\b|[A-Za-z~!@$%^&*_+=<>.?/-][\w~!@$%^&*+=<>.?/-]*/g },
  btor: { keys: new Set(), token: /;.*|-?\b\d+\b|[A-Za-z]\w*/g },
  dimacs: { keys: new Set(['p', 'cnf', 'wcnf']), token: /^c\b.*|-?\b\d+\b|[A-Za-z]+/g },
  text: { keys: new Set(), token: /$^/g },
};

/** The language of a file, from its name and first bytes. */
export function languageOf(name, text) {
  if (/\.[ch]$/.test(name)) return 'c';
  if (/\.(smt2?|sy)$/.test(name)) return 'smt2';
  if (/\.(btor2?|bt2?)$/.test(name)) return 'btor';
  if (/\.(cnf|wcnf|qdimacs|dimacs)$/.test(name)) return 'dimacs';
  const start = text.slice(0, 2000).trimStart();
  if (start.startsWith('(') || start.startsWith(';')) return 'smt2';
  return /^\d+ [a-z]+/.test(start) ? 'btor' : 'text';
}

/** Kinds of the pieces of a line: a list of [from, to, kind]. `isComment`: the line starts inside a comment. */
export function pieces(language, line, isComment) {
  const { keys, token } = LANGUAGES[language] ?? LANGUAGES.text;
  const found = [];
  let from = 0;
  if (isComment) {
    const end = line.indexOf('*/');
    if (end < 0) return [[0, line.length, 'com']];
    from = end + 2;
    found.push([0, from, 'com']);
  }
  token.lastIndex = from;
  for (let match = token.exec(line); match && match[0].length > 0; match = token.exec(line)) {
    const kind = kindOf(language, keys, match[0], match.index);
    if (kind) found.push([match.index, match.index + match[0].length, kind]);
  }
  return found;
}

function kindOf(language, keys, text, at) {
  const first = text[0];
  if (language === 'c') {
    if (text.startsWith('/*') || text.startsWith('//')) return 'com';
    if (first === '"' || first === "'") return 'str';
    if (/^\s*#/.test(text)) return 'key';
    return /\d/.test(first) ? 'num' : keys.has(text) ? 'key' : undefined;
  }
  if (first === ';' || (language === 'dimacs' && first === 'c' && at === 0)) return 'com';
  if (first === '"' || first === '|') return 'str';
  if (first === '#' || /^-?\d/.test(text)) return 'num';
  if (first === ':') return 'op';
  if (keys.has(text)) return 'key';
  return language === 'btor' ? 'op' : /^(bv|fp\.|str\.|and$|or$|not$|ite$|xor$|=>?$|distinct$|concat$|extract$|select$|store$|[-+*/<>=])/.test(text) ? 'op' : undefined;
}

/** For each line of a C text, whether it starts inside a comment. */
export function commentLines(lines) {
  const inside = new Uint8Array(lines.length + 1);
  let open = false;
  lines.forEach((line, index) => {
    inside[index] = open ? 1 : 0;
    for (let at = 0; at < line.length;) {
      const next = line.indexOf(open ? '*/' : '/*', at);
      if (next < 0) break;
      open = !open;
      at = next + 2;
    }
  });
  return inside;
}

/** Ranges that can be folded, as a map from the first line to the last one (from 0): lists of SMT-LIB, blocks of C. */
export function folds(language, lines) {
  const [open, close] = language === 'c' ? ['{', '}'] : ['(', ')'];
  const ranges = new Map();
  if (language !== 'c' && language !== 'smt2') return ranges;
  const stack = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index];
    for (let at = 0; at < line.length; at += 1) {
      const letter = line[at];
      if (letter === '"' || (letter === '|' && language === 'smt2')) {
        const end = line.indexOf(letter, at + 1);
        at = end < 0 ? line.length : end;
      } else if ((letter === ';' && language === 'smt2') || (letter === '/' && line[at + 1] === '/' && language === 'c')) break;
      else if (letter === open) stack.push(index);
      else if (letter === close && stack.length > 0) {
        const first = stack.pop();
        if (index > first && !(ranges.get(first) > index)) ranges.set(first, index);
      }
    }
  }
  return ranges;
}
