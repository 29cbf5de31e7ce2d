/** Removes case and separators from a name: `ReadFile`, `read-file` and `READ_FILE` become equal. */
export function normalize(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** True for a name of several words (`read_file`, `readFile`). A single word may be an HTML or XML element. */
export function isWorded(name: string): boolean {
  return /[A-Za-z0-9][_-][A-Za-z0-9]|[a-z][A-Z]/.test(name);
}

/** Letters, digits and separators, as in names of tools, parameters and elements. */
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
