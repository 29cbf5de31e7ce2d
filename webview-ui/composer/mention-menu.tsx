/** The `@` picker: files and folders that fit what is typed after `@`, and what else can be named. */
import { type ReactNode, useState } from "react";
import type { FileHit } from "../../src/shared/protocol.ts";
import type { Translate } from "../../src/shared/words/task-words.ts";
import { type Panel, usePanel } from "../panel.ts";
import { Visible } from "../text/visible.tsx";
import { Icon, type IconName } from "../toolkit/icon.tsx";
import { arranged, choose, type MentionItem, mentionAt, otherItems, readQuery, ways } from "./mention.ts";
import { MenuList } from "./menu.tsx";
import type { Menu, MenuSource } from "./use-menu.ts";

function mentionSource({ t, actions, store }: Panel): MenuSource<MentionItem> {
  return {
    at: mentionAt,
    async find(query) {
      const { way, words } = readQuery(query);
      switch (way) {
        case "page":
          return [{ kind: "page", url: words }];
        case "commit":
          return (await actions.findCommits(words)).map((commit) => ({ kind: "commit", commit }));
        case "files":
          return actions.findFiles(words, "file");
        case "folders":
          return actions.findFiles(words, "folder");
        default: {
          const others = otherItems(store.state.setup?.otherRoots ?? []);
          const namesOf = (item: MentionItem) => [nameOf(t, item), keyOf(item).slice(1)];
          return arranged(await actions.findFiles(query), others, query, namesOf);
        }
      }
    },
    put: choose,
    isWhole: (draft, item) => item.kind === "page" && item.url === draft.query,
  };
}

export function useMentionSource(): MenuSource<MentionItem> {
  const panel = usePanel();
  return useState(() => mentionSource(panel))[0];
}

export function MentionMenu({ menu }: { menu: Menu<MentionItem> }) {
  const { t } = usePanel();
  return (
    <MenuList
      menu={menu}
      label={t("What to mention")}
      found={t("{0} found", menu.items.length)}
      testId="mention"
      keyOf={keyOf}
      groupOf={menu.query === "" ? (item) => groupOf(t, item) : undefined}
      foot={menu.query === "" ? t("Or drag files here, and hold Shift as you drop them.") : undefined}
    >
      {(item) => <Item item={item} />}
    </MenuList>
  );
}

function groupOf(t: Translate, item: MentionItem): string {
  if (item.kind !== "file" && item.kind !== "folder") return t("More to mention");
  return item.recent ? t("Recent files") : t("Files");
}

/** What tells an item from the others: what is written for it. */
function keyOf(item: MentionItem): string {
  switch (item.kind) {
    case "word":
      return `@${item.word}`;
    case "way":
      return `@${ways[item.way]}`;
    case "root":
      return `@${item.name}:/`;
    case "commit":
      return item.commit.hash;
    case "page":
      return item.url;
    default:
      return item.path;
  }
}

/** How the person knows what is no file; "" for the others. */
function nameOf(t: Translate, item: MentionItem): string {
  if (item.kind === "root") return `${item.name}:/`;
  switch (keyOf(item)) {
    case "@file:":
      return t("Files…");
    case "@folder:":
      return t("Folders…");
    case "@git:":
      return t("Commit…");
    case "@https://":
      return t("Web page…");
    case "@problems":
      return t("Problems");
    case "@terminal":
      return t("Terminal");
    case "@git-changes":
      return t("Git changes");
    default:
      return "";
  }
}

function noteOf(t: Translate, item: MentionItem): string {
  if (item.kind === "root") return t("Another folder of the workspace");
  switch (keyOf(item)) {
    case "@git:":
      return t("Looked for by its message");
    case "@https://":
      return t("Its text, from an address");
    case "@problems":
      return t("Errors and warnings of the editor");
    case "@terminal":
      return t("Recent command output");
    case "@git-changes":
      return t("Changes that are not committed");
    default:
      return "";
  }
}

const icons: Readonly<Record<string, IconName>> = {
  "@file:": "file",
  "@folder:": "folder",
  "@git:": "branch",
  "@https://": "globe",
  "@problems": "warning",
  "@terminal": "terminal",
  "@git-changes": "branch",
};

function Item({ item }: { item: MentionItem }) {
  const { t } = usePanel();
  if (item.kind === "file" || item.kind === "folder") {
    const start = nameStart(item);
    return (
      <>
        <Icon name={item.kind} />
        <span className="picker-name">{highlighted(item, start, item.path.length)}</span>
        <span className="picker-folder">{highlighted(item, 0, start)}</span>
      </>
    );
  }
  if (item.kind === "commit") {
    const { hash, subject } = item.commit;
    return (
      <>
        <Icon name="branch" />
        <span className="picker-name">
          <code>{hash.slice(0, 7)}</code>
        </span>
        <span className="picker-note beside">
          <Visible text={subject} />
        </span>
      </>
    );
  }
  return (
    <>
      <Icon name={item.kind === "page" ? "globe" : (icons[keyOf(item)] ?? "folder")} />
      <span className="picker-name">
        {item.kind === "page" ? <Visible text={item.url} /> : nameOf(t, item)}
      </span>
      <span className="picker-note beside">{noteOf(t, item)}</span>
    </>
  );
}

/** Where the last part of the path begins: it stays whole where the folders before it are shortened. */
function nameStart({ path }: FileHit): number {
  return path.slice(0, -1).lastIndexOf("/") + 1;
}

/** A part of the path with its matched characters set off, neighbours together. */
function highlighted({ path, positions }: FileHit, start: number, end: number): ReactNode[] {
  const matched = new Set(positions);
  const nodes: ReactNode[] = [];
  let from = start;
  for (let i = start + 1; i <= end; i++) {
    if (i < end && matched.has(i) === matched.has(from)) continue;
    const part = path.slice(from, i);
    nodes.push(matched.has(from) ? <mark key={from}>{part}</mark> : part);
    from = i;
  }
  return nodes;
}
