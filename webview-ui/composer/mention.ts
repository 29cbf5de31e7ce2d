/** The `@` mention that is being typed at the cursor, and what takes its place when one is chosen. */
import { mentionText } from "../../src/shared/mentions.ts";
import type { Commit, FileHit } from "../../src/shared/protocol.ts";
import type { Edited, MenuDraft } from "./use-menu.ts";

/** Mentions of things that are no files. */
export const mentionWords = ["problems", "terminal", "git-changes"] as const;

/** Ways to a choice of one kind, with what is typed, or put, before the words that it is looked for by. */
export const ways = { files: "file:", folders: "folder:", commit: "git:", page: "https://" } as const;
export type Way = keyof typeof ways;

export type MentionItem =
  | FileHit
  | { kind: "word"; word: (typeof mentionWords)[number] }
  | { kind: "way"; way: Way }
  /** Goes on to the files of another folder of the workspace. */
  | { kind: "root"; name: string }
  | { kind: "commit"; commit: Commit }
  /** An address as far as it is typed. */
  | { kind: "page"; url: string };

/**
 * The mention that ends at `cursor`: an `@` that is not within a word or an address, and no white space since (or a quote).
 * Japanese puts no space before it.
 */
export function mentionAt(text: string, cursor: number): MenuDraft | null {
  const before = text.slice(0, cursor);
  const quoted = /(?:^|[^\w@./\\`-])@([\w.-]+:)?"(\/?)([^"\n]*)$/.exec(before);
  const plain = quoted ? null : /(?:^|[^\w@./\\`-])@\/?([^\s"]*)$/.exec(before);
  const match = quoted ?? plain;
  if (!match) return null;
  const [, root, slash, inside = ""] = match;
  const query = plain ? (plain[1] ?? "") : root === undefined ? inside : root + slash + inside;
  return { start: before.indexOf("@", match.index), end: cursor, query };
}

/** What a query looks for: one kind, by the words behind its prefix, or anything. */
export function readQuery(query: string): { way: Way | undefined; words: string } {
  if (/^https?:\/\//.test(query)) return { way: "page", words: query };
  const match = /^(file|folder|git):(?!\/)(.*)$/s.exec(query);
  if (!match) return { way: undefined, words: query };
  const way = match[1] === "git" ? "commit" : match[1] === "file" ? "files" : "folders";
  return { way, words: match[2] ?? "" };
}

/** What there is beside files and folders; `nameOf` says how the person knows it. */
export function otherItems(roots: readonly string[]): MentionItem[] {
  return [
    { kind: "way", way: "files" },
    { kind: "way", way: "folders" },
    ...mentionWords.map((word): MentionItem => ({ kind: "word", word })),
    { kind: "way", way: "commit" },
    { kind: "way", way: "page" },
    // A name of other characters would not be found in a message.
    ...roots.filter((name) => /^[\w.-]+$/.test(name)).map((name): MentionItem => ({ kind: "root", name })),
  ];
}

/** Recent files, what else can be named, other files; with a query the files that fit it, then what else does. */
export function arranged(
  files: readonly FileHit[],
  others: readonly MentionItem[],
  query: string,
  namesOf: (item: MentionItem) => readonly string[],
): MentionItem[] {
  if (query === "") {
    const recent = files.filter((file) => file.recent).slice(0, 4);
    const rest = files.filter((file) => !recent.includes(file));
    return [...recent, ...others, ...rest.map(({ recent: _, ...file }) => file)];
  }
  const wanted = query.toLowerCase();
  const fits = (item: MentionItem) => namesOf(item).some((name) => name.toLowerCase().startsWith(wanted));
  return [...files, ...others.filter(fits)];
}

function written(item: MentionItem): string {
  switch (item.kind) {
    case "word":
      return `@${item.word}`;
    case "way":
      return `@${ways[item.way]}`;
    case "root":
      return `@${item.name}:/`;
    case "commit":
      return `@${item.commit.hash}`;
    case "page":
      return `@${item.url}`;
    default:
      return mentionText(item.path);
  }
}

/**
 * Puts what was chosen where the mention is being typed. It is closed with a space, but for the way to a kind or a root,
 * and a folder when `into`: then the cursor stays behind it, so that what is inside can be chosen next.
 */
export function choose(text: string, mention: MenuDraft, item: MentionItem, into: boolean): Edited {
  const rest = text.slice(mention.end).replace(/^"/, "");
  const words = written(item);
  if (item.kind === "way" || item.kind === "root" || (into && item.kind === "folder")) {
    // The closing quote, where there is one, stays behind the cursor.
    const inside = words.replace(/"$/, "").length;
    return { text: text.slice(0, mention.start) + words + rest, cursor: mention.start + inside };
  }
  const gap = /^\s/.test(rest) ? "" : " ";
  const head = text.slice(0, mention.start) + words + gap;
  return { text: head + rest, cursor: head.length + (gap === "" ? 1 : 0) };
}
