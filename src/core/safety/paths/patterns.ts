/** Patterns of file names: those that a shell replaces by names, and those that a program matches itself. */
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import type { ShellKind } from "../../ports/shell.ts";
import { CMDLETS } from "../programs/cmdlets.ts";
import type { Word } from "../shells/shell-words.ts";

/**
 * Returns why a command asks that contains patterns for its shell: nobody looks at the names that they match, so that `reads`, the words
 * that may name files whose content is shown, contain none, and no match may be an option. An option with its value stays that option.
 */
export function openPattern(
  name: string,
  words: readonly Word[],
  reads: readonly Word[],
  shell: ShellKind,
): Reason | undefined {
  const patterns = words.filter(({ glob }) => glob !== undefined && !/^--[a-z-]+=/.test(glob));
  const shown = patterns.find((word) => reads.includes(word));
  if (shown) return reasonOf("pattern-several-files", shown.text);
  // These get the pattern itself.
  const getsPattern = shell === "powershell" ? CMDLETS.has(name) : shell === "cmd" && CMD_LISTS.test(name);
  if (getsPattern) return undefined;
  // With an extension it is no option of find.
  const mayBe = name === "find" ? /^[-*?[](?!.*\.\w+$)/s : /^[-*?[]/;
  const option = patterns.find(({ glob = "" }) => mayBe.test(glob));
  return option && reasonOf("pattern-option", option.text);
}

const CMD_LISTS = /^(?:dir|tree|where)$/;

/**
 * Converts one segment of a pattern, without slashes; undefined if it uses more than `*`, `?` and plain bracket lists. It matches
 * more rather than less: case is ignored, and a bracket list matches any character.
 */
export function componentPattern(part: string): RegExp | undefined {
  let source = "";
  for (let i = 0; i < part.length; i++) {
    const c = part.charAt(i);
    if (c === "*") source += "[^/]*";
    else if (c === "?") source += "[^/]";
    else if (c === "\\") source += escaped(part.charAt(++i));
    else if (c === "[") {
      const close = part.indexOf("]", i + 2);
      if (close < 0 || /[[\\]/.test(part.slice(i + 1, close))) return undefined;
      source += "[^/]";
      i = close;
    } else source += escaped(c);
  }
  return new RegExp(`^${source}$`, "is");
}

function escaped(c: string): string {
  return c.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
