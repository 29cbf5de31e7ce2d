/** The list of the `@` picker. */
import type { ReactNode } from "react";
import type { FileHit } from "../../../src/shared/protocol.ts";
import type { Translate } from "../../../src/shared/words/task-words.ts";
import { usePanel } from "../../panel.ts";
import { Visible } from "../../text/visible.tsx";
import { Icon } from "../../toolkit/icon.tsx";
import { type MentionItem, mentionKey } from "../mention.ts";
import type { Menu } from "../use-menu.ts";
import { menuPresentation } from "./mention-search.ts";
import { MenuList } from "./menu-list.tsx";

export default function MentionList({ menu }: { menu: Menu<MentionItem> }) {
  const { t } = usePanel();
  return (
    <MenuList
      menu={menu}
      label={t("Mentions")}
      testId="mention"
      keyOf={mentionKey}
      titleOf={titleOf}
      groupOf={menu.query === "" ? (item) => groupOf(t, item) : undefined}
      foot={menu.query === "" ? t("Or drag files here and hold Shift while dropping.") : undefined}
    >
      {(item) => <Item item={item} />}
    </MenuList>
  );
}

function titleOf(item: MentionItem): string {
  if (item.kind !== "resource") return mentionKey(item);
  const { mention, server, template, description } = item.resource;
  const whole = template === undefined ? mention : `@${server}:${template}`;
  return description === "" ? whole : `${whole}\n${description}`;
}

function groupOf(t: Translate, item: MentionItem): string {
  if (item.kind === "resource") return t("Resources of MCP servers");
  if (item.kind === "model") return t("Models");
  if (item.kind === "symbol") return t("Symbols");
  if (item.kind !== "file" && item.kind !== "folder") return t("Other mentions");
  return item.recent ? t("Recent files") : t("Files");
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
        <Icon name="commit" />
        <span className="picker-name">
          <code>{hash.slice(0, 7)}</code>
        </span>
        <span className="picker-note beside">
          <Visible text={subject} />
        </span>
      </>
    );
  }
  const { icon, label, note } = menuPresentation(t, item);
  return (
    <>
      <Icon name={icon} />
      <span className="picker-name">
        <Visible text={label} />
      </span>
      <span className="picker-note beside">
        <Visible text={note} />
      </span>
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
