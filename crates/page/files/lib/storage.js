// What the browser keeps for us: the theme, the sizes of panes, the last program. It may refuse to, and nothing depends on it.

/** What was kept under a name. */
export function kept(name) {
  try {
    return localStorage.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a text. */
export function keep(name, text) {
  try {
    localStorage.setItem(name, text);
  } catch { /* A file that is opened without a server may have no storage. */ }
}
