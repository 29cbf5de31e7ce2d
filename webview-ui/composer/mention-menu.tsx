/** The `@` picker: matching files and folders, and everything else that can be mentioned. */
import { useState } from "react";
import { onDemand } from "../on-demand.tsx";
import { type Panel, usePanel } from "../panel.ts";
import { choose, isAtHead, isFullyTyped, type MentionItem, mentionAt } from "./mention.ts";
import type { Menu, MenuSource } from "./use-menu.ts";

// Both load when the user first opens a picker.
const MentionList = onDemand(() => import("./menus/mention-list.tsx"));

/** Loaded once, so that the queries that wait for it are sent in order. */
let search: Promise<typeof import("./menus/mention-search.ts")> | undefined;

function mentionSource(panel: Panel): MenuSource<MentionItem> {
  let isHead = false;
  return {
    at(text, cursor) {
      const draft = mentionAt(text, cursor);
      isHead = draft !== null && isAtHead(text, draft.start);
      return draft;
    },
    async find(query) {
      search ??= import("./menus/mention-search.ts");
      return (await search).findItems(panel, query, isHead);
    },
    put: choose,
    isWhole: (draft, item) => isFullyTyped(item, draft.query),
  };
}

export function useMentionSource(): MenuSource<MentionItem> {
  const panel = usePanel();
  return useState(() => mentionSource(panel))[0];
}

export function MentionMenu({ menu }: { menu: Menu<MentionItem> }) {
  const { t } = usePanel();
  return (
    <>
      <div className="only-heard" role="status">
        {menu.open ? t("{0} found", menu.items.length) : ""}
      </div>
      {menu.open ? <MentionList menu={menu} /> : null}
    </>
  );
}
