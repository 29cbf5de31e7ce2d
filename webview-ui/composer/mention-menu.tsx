/** The `@` picker: files and folders that fit what is typed after `@`. */
import { type ReactNode, useState } from "react";
import type { FileHit } from "../../src/shared/protocol.ts";
import type { Actions } from "../actions.ts";
import { usePanel } from "../panel.ts";
import { Icon } from "../toolkit/icon.tsx";
import { choose, mentionAt } from "./mention.ts";
import { MenuList } from "./menu.tsx";
import type { Menu, MenuSource } from "./use-menu.ts";

function mentionSource(actions: Actions): MenuSource<FileHit> {
  return { at: mentionAt, find: (query) => actions.findFiles(query), put: choose };
}

export function useMentionSource(): MenuSource<FileHit> {
  const { actions } = usePanel();
  return useState(() => mentionSource(actions))[0];
}

export function MentionMenu({ menu }: { menu: Menu<FileHit> }) {
  const { t } = usePanel();
  return (
    <MenuList
      menu={menu}
      label={t("Files")}
      found={t("{0} files found", menu.items.length)}
      testId="mention"
      keyOf={(hit) => hit.path}
    >
      {(hit) => (
        <>
          <Icon name={hit.kind === "folder" ? "folder" : "file"} />
          <span className="picker-folder">{highlighted(hit, 0, nameStart(hit))}</span>
          <span className="picker-name">{highlighted(hit, nameStart(hit), hit.path.length)}</span>
        </>
      )}
    </MenuList>
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
