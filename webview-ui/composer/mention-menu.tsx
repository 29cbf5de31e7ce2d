/** The `@` picker: matching files and folders, and everything else that can be mentioned. */
import { type ReactNode, useState } from "react";
import type { FileHit } from "../../src/shared/protocol.ts";
import type { Translate } from "../../src/shared/words/task-words.ts";
import { type Panel, usePanel } from "../panel.ts";
import { Visible } from "../text/visible.tsx";
import { Icon, type IconName } from "../toolkit/icon.tsx";
import {
  arranged,
  choose,
  keyOf,
  type MentionItem,
  mentionAt,
  type OtherItem,
  otherItems,
  readQuery,
} from "./mention.ts";
import { wayFaces, wordFaces } from "./mention-faces.ts";
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
          const namesOf = (item: OtherItem) => [menuFace(t, item).label, keyOf(item).slice(1)];
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
      label={t("Mentions")}
      found={t("{0} found", menu.items.length)}
      testId="mention"
      keyOf={keyOf}
      groupOf={menu.query === "" ? (item) => groupOf(t, item) : undefined}
      foot={menu.query === "" ? t("Or drag files here and hold Shift while dropping.") : undefined}
    >
      {(item) => <Item item={item} />}
    </MenuList>
  );
}

function groupOf(t: Translate, item: MentionItem): string {
  if (item.kind !== "file" && item.kind !== "folder") return t("Other mentions");
  return item.recent ? t("Recent files") : t("Files");
}

/** The label, note and icon of an item other than a file or folder. */
function menuFace(
  t: Translate,
  item: OtherItem | Extract<MentionItem, { kind: "page" }>,
): { icon: IconName; label: string; note: string } {
  if (item.kind === "root")
    return { icon: "folder", label: `${item.name}:/`, note: t("Another workspace folder") };
  if (item.kind === "page") return { icon: "globe", label: item.url, note: "" };
  const face = item.kind === "word" ? wordFaces[item.word] : wayFaces[item.way];
  return { icon: face.icon, label: face.label(t), note: face.note?.(t) ?? "" };
}

function Item({ item }: { item: MentionItem }) {
  const { t } = usePanel();
  if ("path" in item) {
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
  const { icon, label, note } = menuFace(t, item);
  return (
    <>
      <Icon name={icon} />
      <span className="picker-name">{item.kind === "page" ? <Visible text={label} /> : label}</span>
      <span className="picker-note beside">{note}</span>
    </>
  );
}

/** Start of the path's last part, which is shown in full when the folders before it are shortened. */
function nameStart({ path }: FileHit): number {
  return path.slice(0, -1).lastIndexOf("/") + 1;
}

/** A part of the path with its matched characters highlighted; adjacent characters are grouped. */
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
