/**
 * A chord of the manifest as VS Code shows it: Ctrl+K, or ⌘K on macOS, then this key. Extensions cannot read the user's keyboard shortcuts,
 * so texts call it a default.
 */
export function defaultChord(key: string): string {
  return `${/mac/i.test(navigator.platform) ? "⌘K" : "Ctrl+K"} ${key}`;
}
