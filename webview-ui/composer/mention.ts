/** The `@` mention that is being typed at the cursor, and what takes its place when one is chosen. */
import { mentionText } from "../../src/shared/mentions.ts";
import type { Commit, FileHit } from "../../src/shared/protocol.ts";
import type { Edited, MenuDraft } from "./use-menu.ts";

/** Mentions of things that are no files. */
export const mentionWords = ["problems", "terminal", "git-changes"] as const;

export type MentionItem =
  | FileHit
  | { kind: "word"; word: (typeof mentionWords)[number] }
  /** Goes on to the commits. */
  | { kind: "commits" }
  | { kind: "commit"; commit: Commit };

/** What is typed, or put, before the words that a commit is looked for by. */
const commitsPrefix = "git:";

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

/** The words that a commit is looked for by; undefined: the query is about files. */
export function commitQuery(query: string): string | undefined {
  if (!query.startsWith(commitsPrefix) || query.startsWith(`${commitsPrefix}/`)) return undefined;
  return query.slice(commitsPrefix.length);
}

/** What is no file and fits the query: first while nothing is typed, else after the files. */
export function withWords(files: readonly FileHit[], query: string): MentionItem[] {
  const words: MentionItem[] = mentionWords
    .filter((word) => word.startsWith(query))
    .map((word) => ({ kind: "word", word }));
  if (commitsPrefix.startsWith(query)) words.push({ kind: "commits" });
  return query === "" ? [...words, ...files] : [...files, ...words];
}

function written(item: MentionItem): string {
  switch (item.kind) {
    case "word":
      return `@${item.word}`;
    case "commits":
      return `@${commitsPrefix}`;
    case "commit":
      return `@${item.commit.hash}`;
    default:
      return mentionText(item.path);
  }
}

/**
 * Puts what was chosen where the mention is being typed. It is closed with a space, but for the way to the commits, and
 * a folder when `into`: then the cursor stays behind it, so that what is inside can be chosen next.
 */
export function choose(text: string, mention: MenuDraft, item: MentionItem, into: boolean): Edited {
  const rest = text.slice(mention.end).replace(/^"/, "");
  const words = written(item);
  if (item.kind === "commits" || (into && item.kind === "folder")) {
    // The closing quote, where there is one, stays behind the cursor.
    const inside = words.replace(/"$/, "").length;
    return { text: text.slice(0, mention.start) + words + rest, cursor: mention.start + inside };
  }
  const gap = /^\s/.test(rest) ? "" : " ";
  const head = text.slice(0, mention.start) + words + gap;
  return { text: head + rest, cursor: head.length + (gap === "" ? 1 : 0) };
}
