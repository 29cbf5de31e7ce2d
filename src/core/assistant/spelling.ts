/** What a name is but for case and for how its words are joined: `ReadFile`, `read-file` and `READ_FILE` are one. */
export function normalise(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** True for a name of several words (`read_file`, `readFile`): a single word may well be an element of HTML or XML. */
export function isWorded(name: string): boolean {
  return /[A-Za-z0-9][_-][A-Za-z0-9]|[a-z][A-Z]/.test(name);
}

/** Letters, digits and what joins words, as in names of tools, parameters and elements. */
export function isNameChar(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45 ||
    code === 46 ||
    code === 58
  );
}
