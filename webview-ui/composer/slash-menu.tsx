/** The `/` menu: built-in commands, the project's workflows and prompts of MCP servers. */
import { lazy, Suspense, useState } from "react";
import type { SlashCommand } from "../../src/shared/protocol.ts";
import type { Actions } from "../actions.ts";
import { usePanel } from "../panel.ts";
import { fitting, putCommand, slashAt } from "./slash.ts";
import type { Menu, MenuSource } from "./use-menu.ts";

// Loads when the user first opens the menu.
const SlashList = lazy(() => import("./menus/slash-list.tsx"));

interface SlashSource extends MenuSource<SlashCommand> {
  /** MCP servers whose prompts are not among the items found last. */
  unlisted: readonly string[];
}

function slashSource(actions: Actions): SlashSource {
  /** Requested once per menu, not per letter. */
  let list: ReturnType<Actions["slashCommands"]> | null = null;
  return {
    unlisted: [],
    at: slashAt,
    async find(query) {
      if (query === "") list = null;
      list ??= actions.slashCommands();
      try {
        const { commands, unlisted } = await list;
        this.unlisted = unlisted;
        return fitting(commands, query);
      } catch (error) {
        list = null;
        throw error;
      }
    },
    put: putCommand,
    isWhole: (draft, { name }) => name === draft.query,
  };
}

export function useSlashSource(): SlashSource {
  const { actions } = usePanel();
  return useState(() => slashSource(actions))[0];
}

export function SlashMenu({ menu, source }: { menu: Menu<SlashCommand>; source: SlashSource }) {
  const { t } = usePanel();
  return (
    <>
      <div className="only-heard" role="status">
        {menu.open ? t("{0} commands found", menu.items.length) : ""}
      </div>
      <Suspense fallback={null}>
        {menu.open ? <SlashList menu={menu} unlisted={source.unlisted} /> : null}
      </Suspense>
    </>
  );
}
