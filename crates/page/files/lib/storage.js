// Settings stored in the browser: the theme, the sizes of panes, the last program. Storage may be unavailable, and nothing
// depends on it.

/** The text stored under a name. */
export function kept(name) {
  try {
    return localStorage.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores a text. */
export function keep(name, text) {
  try {
    localStorage.setItem(name, text);
  } catch { /* A file that is opened without a server may have no storage. */ }
}
