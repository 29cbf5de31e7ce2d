/** What the `@` picker finds for a query. */
import { MENTION_WORDS } from "../../../src/shared/mentions.ts";
import type { FileHit, MentionSymbol } from "../../../src/shared/protocol.ts";
import type { Translate } from "../../../src/shared/words/task-words.ts";
import type { Panel } from "../../panel.ts";
import type { IconName } from "../../toolkit/icon.tsx";
import {
  type MentionItem,
  type MentionScope,
  type ModelItem,
  mentionKey,
  type OtherItem,
  type ResourceItem,
  type SymbolItem,
} from "../mention.ts";
import { type MentionPresentation, wordPresentations } from "../mention-presentations.ts";

export async function findItems(
  { t, actions, store }: Panel,
  query: string,
  isHead: boolean,
): Promise<readonly MentionItem[]> {
  const { way, words } = readQuery(query);
  switch (way) {
    case "page":
      return [{ kind: "page", url: words }];
    case "commit":
      return (await actions.findCommits(words)).map((commit) => ({ kind: "commit", commit }));
    case "symbols":
      return (await actions.findSymbols(words, true)).map(symbolItem);
    case "files":
      return actions.findFiles(words, "file");
    case "folders":
      return actions.findFiles(words, "folder");
    case undefined: {
      const others = otherItems(store.state.setup?.otherRoots ?? []);
      const namesOf = (item: OtherItem) => [menuPresentation(t, item).label, mentionKey(item).slice(1)];
      const [files, models, resources, symbols] = await Promise.all([
        actions.findFiles(query),
        isHead ? findModels(actions, query) : [],
        // Files can be chosen even if the servers' configuration cannot be read.
        actions.findResources(query).catch(() => []),
        // A shorter query matches most symbols, and a path matches none.
        query.length < 2 || /[/:]/.test(query) ? [] : actions.findSymbols(query).catch(() => []),
      ]);
      const items = resources.map((resource): ResourceItem => ({ kind: "resource", resource }));
      const matches = arranged(files, others, query, namesOf, items);
      return withModels([...matches, ...symbols.map(symbolItem)], models, query);
    }
  }
}

function symbolItem(symbol: MentionSymbol): SymbolItem {
  return { kind: "symbol", symbol };
}

/** Maximum number of models in the list. The user finds others with a longer query. */
const MOST_MODELS = 8;
/** The names of all models, requested again each time the menu opens. */
let allNames: Promise<string[]> | undefined;

/** Without a query, favorites and recent models; otherwise the models whose name contains the query. */
async function findModels(actions: Panel["actions"], query: string): Promise<ModelItem[]> {
  const wanted = query.toLowerCase();
  if (wanted === "") allNames = undefined;
  try {
    const { favorites, recents, connections } = await actions.models();
    if (wanted === "") return itemsOf([...new Set([...favorites, ...recents])].slice(0, 3));
    allNames ??= Promise.all(connections.map(({ name }) => actions.offered(name))).then((lists) =>
      lists.flatMap(({ models }) => models.map(({ name }) => name)),
    );
    const names = (await allNames).filter((name) => name.toLowerCase().includes(wanted));
    return itemsOf(names.slice(0, MOST_MODELS));
  } catch {
    // Files can be chosen even if the models are not known; the list of models reports why.
    return [];
  }
}

/**
 * Adds the models to the list. Without a query, they follow the recent files, which are mentioned more often. With a query,
 * models whose name or id begins with it come first, and other models last.
 */
export function withModels(
  items: readonly MentionItem[],
  models: readonly ModelItem[],
  query: string,
): MentionItem[] {
  const wanted = query.toLowerCase();
  const isExact = ({ name }: ModelItem) => `/${name.toLowerCase()}`.includes(`/${wanted}`);
  const first = items.findIndex((item) => !("recent" in item && item.recent));
  const at = wanted !== "" ? 0 : first < 0 ? items.length : first;
  const exact = models.filter(isExact);
  const others = models.filter((model) => !isExact(model));
  return [...items.slice(0, at), ...exact, ...items.slice(at), ...others];
}

function itemsOf(names: readonly string[]): ModelItem[] {
  return names.map((name) => ({ kind: "model", name }));
}

/** What a query searches: one kind, with the words after its prefix, or everything. */
export function readQuery(query: string): { way: MentionScope | undefined; words: string } {
  if (query.startsWith("#")) return { way: "symbols", words: query.slice(1) };
  if (/^https?:\/\//.test(query)) return { way: "page", words: query };
  const match = /^(file|folder|git):(?!\/|[\w+.-]+:)(.*)$/s.exec(query);
  if (!match) return { way: undefined, words: query };
  const way = match[1] === "git" ? "commit" : match[1] === "file" ? "files" : "folders";
  return { way, words: match[2] ?? "" };
}

/** Mentions other than files and folders. */
export function otherItems(roots: readonly string[]): OtherItem[] {
  return [
    { kind: "way", way: "files" },
    { kind: "way", way: "folders" },
    { kind: "way", way: "symbols" },
    ...MENTION_WORDS.map((word): OtherItem => ({ kind: "word", word })),
    { kind: "way", way: "commit" },
    { kind: "way", way: "page" },
    // A name with other characters would not be recognized in a message.
    ...roots.filter((name) => /^[\w.-]+$/.test(name)).map((name): OtherItem => ({ kind: "root", name })),
  ];
}

/**
 * The list in order: recent files, other mentions, resources, other files. With a query: matching files, then other matches.
 * `namesOf` returns the names that a query can match.
 */
export function arranged(
  files: readonly FileHit[],
  others: readonly OtherItem[],
  query: string,
  namesOf: (item: OtherItem) => readonly string[],
  resources: readonly ResourceItem[] = [],
): MentionItem[] {
  if (query === "") {
    const recent = files.filter((file) => file.recent).slice(0, 4);
    const rest = files.filter((file) => !recent.includes(file));
    return [...recent, ...others, ...resources, ...rest.map(({ recent: _, ...file }) => file)];
  }
  const wanted = query.toLowerCase();
  const fits = (item: OtherItem) => namesOf(item).some((name) => name.toLowerCase().startsWith(wanted));
  return [...files, ...others.filter(fits), ...resources];
}

/** Menu entries that limit the search to one kind. */
const scopePresentations: Readonly<Record<MentionScope, MentionPresentation>> = {
  files: { icon: "file", label: (t) => t("Files…") },
  folders: { icon: "folder", label: (t) => t("Folders…") },
  symbols: { icon: "symbol", label: (t) => t("Symbols…") },
  commit: { icon: "commit", label: (t) => t("Commit…"), note: (t) => t("Search by message") },
  page: { icon: "globe", label: (t) => t("Web page…"), note: (t) => t("Fetch a web page") },
};

/** The label, note and icon of an item other than a file or folder. */
export function menuPresentation(
  t: Translate,
  item: OtherItem | ResourceItem | SymbolItem | Extract<MentionItem, { kind: "page" | "model" }>,
): { icon: IconName; label: string; note: string } {
  if (item.kind === "root")
    return { icon: "folder", label: `${item.name}:/`, note: t("Another workspace folder") };
  if (item.kind === "resource") {
    const { server, name, description, template } = item.resource;
    // The user has to complete a template, so its form is more helpful than its description.
    if (template !== undefined) return { icon: "book", label: `${name}…`, note: template };
    return { icon: "book", label: name, note: description === "" ? server : `${server} · ${description}` };
  }
  if (item.kind === "symbol") {
    const { name, path, line } = item.symbol;
    return { icon: "symbol", label: name, note: `${path}:${line}` };
  }
  if (item.kind === "model") return { icon: "sparkle", label: item.name, note: t("Answers this message") };
  if (item.kind === "page") return { icon: "globe", label: item.url, note: "" };
  const presentation = item.kind === "word" ? wordPresentations[item.word] : scopePresentations[item.way];
  return { icon: presentation.icon, label: presentation.label(t), note: presentation.note?.(t) ?? "" };
}
