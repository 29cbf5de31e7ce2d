/** The `@` picker: files and folders that fit what is typed after `@`, and what else can be named. */
import { type ReactNode, useState } from "react";
import type { FileHit } from "../../src/shared/protocol.ts";
import type { Translate } from "../../src/shared/texts.ts";
import type { Actions } from "../actions.ts";
import { usePanel } from "../panel.ts";
import { Visible } from "../text/visible.tsx";
import { Icon } from "../toolkit/icon.tsx";
import { choose, commitQuery, type MentionItem, mentionAt, withWords } from "./mention.ts";
import { MenuList } from "./menu.tsx";
import type { Menu, MenuSource } from "./use-menu.ts";

function mentionSource(actions: Actions): MenuSource<MentionItem> {
  return {
    at: mentionAt,
    async find(query) {
      const wanted = commitQuery(query);
      if (wanted === undefined) return withWords(await actions.findFiles(query), query);
      return (await actions.findCommits(wanted)).map((commit) => ({ kind: "commit", commit }));
    },
    put: choose,
  };
}

export function useMentionSource(): MenuSource<MentionItem> {
  const { actions } = usePanel();
  return useState(() => mentionSource(actions))[0];
}

export function MentionMenu({ menu }: { menu: Menu<MentionItem> }) {
  const { t } = usePanel();
  return (
    <MenuList
      menu={menu}
      label={t("Files")}
      found={t("{0} found", menu.items.length)}
      testId="mention"
      keyOf={nameOf}
    >
      {(item) => <Item item={item} />}
    </MenuList>
  );
}

/** What tells an item from the others. */
function nameOf(item: MentionItem): string {
  switch (item.kind) {
    case "word":
      return `@${item.word}`;
    case "commits":
      return "@git:";
    case "commit":
      return item.commit.hash;
    default:
      return item.path;
  }
}

function Item({ item }: { item: MentionItem }) {
  const { t } = usePanel();
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
  if (item.kind === "word" || item.kind === "commits") {
    return (
      <>
        <Icon name={item.kind === "commits" ? "branch" : wordIcons[item.word]} />
        <span className="picker-name">{item.kind === "commits" ? "git" : item.word}</span>
        <span className="picker-note beside">{noteOf(t, item)}</span>
      </>
    );
  }
  const start = nameStart(item);
  return (
    <>
      <Icon name={item.kind === "folder" ? "folder" : "file"} />
      <span className="picker-folder">{highlighted(item, 0, start)}</span>
      <span className="picker-name">{highlighted(item, start, item.path.length)}</span>
    </>
  );
}

const wordIcons = { problems: "warning", terminal: "terminal", "git-changes": "branch" } as const;

function noteOf(t: Translate, item: Extract<MentionItem, { kind: "word" | "commits" }>): string {
  if (item.kind === "commits") return t("A commit…");
  switch (item.word) {
    case "problems":
      return t("Errors and warnings of the editor");
    case "terminal":
      return t("What the terminal shows");
    case "git-changes":
      return t("Changes that are not committed");
  }
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
