/** The `@` mention being typed at the cursor, and the text that replaces it when the user chooses an item. */
import { type MentionWord, mentionText } from "../../src/shared/mentions.ts";
import type { Commit, FileHit, MentionSymbol } from "../../src/shared/protocol.ts";
import type { MentionResource } from "../../src/shared/server-protocol.ts";
import type { MenuDraft, TextWithCursor } from "./use-menu.ts";

/**
 * Entries that limit the search to one kind, with the prefix that the entry inserts, or the user types, before the search
 * words.
 */
const SCOPE_PREFIXES = {
  files: "file:",
  folders: "folder:",
  symbols: "#",
  commit: "git:",
  page: "https://",
} as const;
export type MentionScope = keyof typeof SCOPE_PREFIXES;

export type MentionItem =
  | FileHit
  | { kind: "word"; word: MentionWord }
  | { kind: "way"; way: MentionScope }
  /** Continues with the files of another workspace folder. */
  | { kind: "root"; name: string }
  | { kind: "commit"; commit: Commit }
  | ResourceItem
  | ModelItem
  | SymbolItem
  /** An incomplete URL, as typed so far. */
  | { kind: "page"; url: string };

/** A model that is to answer the message, by name. */
export type ModelItem = { kind: "model"; name: string };

export type SymbolItem = { kind: "symbol"; symbol: MentionSymbol };

export type ResourceItem = { kind: "resource"; resource: MentionResource };

/**
 * The mention that ends at `cursor`: an `@` that is not inside a word or an address, with no white space after it (or a
 * quote). Japanese text has no space before it.
 */
export function mentionAt(text: string, cursor: number): MenuDraft | null {
  const before = text.slice(0, cursor);
  // Symbols have their own prefix, `#`. A heading in Markdown has a space after it.
  const symbol = /(?:^|[\s(「（])(#[\p{L}\p{N}_$.]*)$/u.exec(before)?.[1];
  if (symbol !== undefined) return { start: cursor - symbol.length, end: cursor, query: symbol };
  const quoted = /(?:^|[^\w@./\\`-])@([\w.-]+:)?"(\/?)([^"\n]*)$/.exec(before);
  const plain = quoted ? null : /(?:^|[^\w@./\\`-])@\/?([^\s"]*)$/.exec(before);
  const match = quoted ?? plain;
  if (!match) return null;
  const [, root, slash, inside = ""] = match;
  const query = plain ? (plain[1] ?? "") : root === undefined ? inside : root + slash + inside;
  return { start: before.indexOf("@", match.index), end: cursor, query };
}

/** Whether a mention that starts there is at the beginning of the message, where it can name a model. */
export function isAtHead(text: string, start: number): boolean {
  return /^\s*(?:@[^\s/@:]+\/\S+\s+)*$/.test(text.slice(0, start));
}

export type OtherItem = Extract<MentionItem, { kind: "word" | "way" | "root" }>;

/** Identifies an item: the text that it inserts. */
export function mentionKey(item: MentionItem): string {
  switch (item.kind) {
    case "word":
      return `@${item.word}`;
    case "way":
      return `@${SCOPE_PREFIXES[item.way]}`;
    case "root":
      return `@${item.name}:/`;
    case "commit":
      return item.commit.hash;
    case "page":
      return item.url;
    case "resource":
      return item.resource.mention;
    case "symbol":
      return item.symbol.mention;
    case "model":
      return `@${item.name}`;
    case "file":
    case "folder":
      return item.path;
  }
}

function written(item: MentionItem): string {
  const key = mentionKey(item);
  if (item.kind === "commit" || item.kind === "page") return `@${key}`;
  return item.kind === "file" || item.kind === "folder" ? mentionText(key) : key;
}

function isTemplate(item: MentionItem): boolean {
  return item.kind === "resource" && item.resource.template !== undefined;
}

/** Whether the query begins with the fixed part of a template. */
function isContinued(item: MentionItem, query: string): boolean {
  return isTemplate(item) && query.startsWith(withoutQuotes(mentionKey(item)));
}

/** Whether the query already contains everything that choosing the item would insert. */
export function isFullyTyped(item: MentionItem, query: string): boolean {
  if (item.kind === "page") return item.url === query;
  return isContinued(item, query) || (item.kind === "resource" && withoutQuotes(mentionKey(item)) === query);
}

/** A resource's mention as a query for it. */
function withoutQuotes(mention: string): string {
  return mention.slice(1).replaceAll('"', "");
}

/**
 * Replaces the mention being typed with the chosen item. A space follows it, except for a kind, a root, a template,
 * or a folder when `into` is true: then the cursor stays at its end, so that the user can choose an item inside.
 */
export function choose(text: string, mention: MenuDraft, item: MentionItem, into: boolean): TextWithCursor {
  if (isContinued(item, mention.query)) return { text, cursor: mention.end };
  const rest = text.slice(mention.end).replace(/^"/, "");
  const words = written(item);
  if (item.kind === "way" || item.kind === "root" || isTemplate(item) || (into && item.kind === "folder")) {
    // The cursor goes before the closing quote, if there is one.
    const inside = words.replace(/"$/, "").length;
    return { text: text.slice(0, mention.start) + words + rest, cursor: mention.start + inside };
  }
  const gap = /^\s/.test(rest) ? "" : " ";
  const head = text.slice(0, mention.start) + words + gap;
  return { text: head + rest, cursor: head.length + (gap === "" ? 1 : 0) };
}
