/** Writes a text as one word of a command line. */
import type { ShellKind } from "../../ports/shell.ts";

/** undefined: this shell cannot take the text as one word. */
export function shellWord(text: string, shell: ShellKind): string | undefined {
  if (/[\0-\x1f]/.test(text)) return undefined;
  if (/^[\w./:+][\w./:=+@-]*$/.test(text)) return text;
  switch (shell) {
    case "bash":
    case "zsh":
    case "sh":
      return `'${text.replaceAll("'", `'\\''`)}'`;
    case "fish":
      return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
    case "powershell":
      return `'${text.replaceAll("'", "''")}'`;
    case "cmd":
      return /["%!^]/.test(text) ? undefined : `"${text}"`;
  }
}
