/** The `/` menu: built-in commands, the project's workflows and prompts of MCP servers. */
import { lazy, Suspense, useState } from "react";
import type { SlashCommand } from "../../src/shared/protocol.ts";
import type { Actions } from "../actions.ts";
import { usePanel } from "../panel.ts";
import { fitting, putCommand, slashAt } from "./slash.ts";
import type { Menu, MenuSource } from "./use-menu.ts";

// Loads when the user first opens the menu.
const SlashList = lazy(() => import("./menus/slash-list.tsx"));

function slashSource(actions: Actions): MenuSource<SlashCommand> {
  /** Requested once per menu, not per letter. */
  let commands: Promise<readonly SlashCommand[]> | null = null;
  return {
    at: slashAt,
    async find(query) {
      if (query === "") commands = null;
      commands ??= actions.slashCommands();
      try {
        return fitting(await commands, query);
      } catch (error) {
        commands = null;
        throw error;
      }
    },
    put: putCommand,
    isWhole: (draft, { name }) => name === draft.query,
  };
}

export function useSlashSource(): MenuSource<SlashCommand> {
  const { actions } = usePanel();
  return useState(() => slashSource(actions))[0];
}

export function SlashMenu({ menu }: { menu: Menu<SlashCommand> }) {
  const { t } = usePanel();
  return (
    <>
      <div className="only-heard" role="status">
        {menu.open ? t("{0} commands found", menu.items.length) : ""}
      </div>
      <Suspense fallback={null}>{menu.open ? <SlashList menu={menu} /> : null}</Suspense>
    </>
  );
}
