/** The `@` mention that is being typed at the cursor, and what takes its place when one is chosen. */
import type { FileHit } from "../../src/shared/protocol.ts";
import type { Edited, MenuDraft } from "./use-menu.ts";

/** The mention that ends at `cursor`: an `@` at the start or after white space, and no white space since (or a quote). */
export function mentionAt(text: string, cursor: number): MenuDraft | null {
  const before = text.slice(0, cursor);
  const quoted = /(?:^|\s)@([\w.-]+:)?"(\/?)([^"\n]*)$/.exec(before);
  const plain = quoted ? null : /(?:^|\s)@\/?([^\s"]*)$/.exec(before);
  const match = quoted ?? plain;
  if (!match) return null;
  const [, root, slash, inside = ""] = match;
  const query = plain ? (plain[1] ?? "") : root === undefined ? inside : root + slash + inside;
  return { start: before.indexOf("@", match.index), end: cursor, query };
}

/**
 * How a path is written in a message; quoted when it has white space in it. A path that begins with `@name:/` is in that
 * folder of the workspace, and names it itself.
 */
export function mentionText(path: string): string {
  const elsewhere = /^(@[^:/\s]+:)(\/.*)$/s.exec(path);
  if (elsewhere) return /\s/.test(path) ? `${elsewhere[1]}"${elsewhere[2]}"` : path;
  return /\s/.test(path) ? `@"/${path}"` : `@/${path}`;
}

/**
 * Puts the chosen path where the mention is being typed. A file is closed with a space. A folder is too, unless
 * `into`: then the cursor stays behind its slash, so that its files can be chosen next.
 */
export function choose(text: string, mention: MenuDraft, hit: FileHit, into: boolean): Edited {
  const rest = text.slice(mention.end).replace(/^"/, "");
  const written = mentionText(hit.path);
  if (into && hit.kind === "folder") {
    // The closing quote, where there is one, stays behind the cursor.
    const inside = written.replace(/"$/, "").length;
    return { text: text.slice(0, mention.start) + written + rest, cursor: mention.start + inside };
  }
  const gap = /^\s/.test(rest) ? "" : " ";
  const head = text.slice(0, mention.start) + written + gap;
  return { text: head + rest, cursor: head.length + (gap === "" ? 1 : 0) };
}
