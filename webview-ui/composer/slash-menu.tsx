/** The `/` menu: built-in commands and the project's workflows. */
import { useState } from "react";
import type { SlashCommand } from "../../src/shared/protocol.ts";
import { slashCommandText } from "../../src/shared/words/task-words.ts";
import type { Actions } from "../actions.ts";
import { usePanel } from "../panel.ts";
import { Visible } from "../text/visible.tsx";
import { MenuList } from "./menu.tsx";
import { fitting, putCommand, slashAt } from "./slash.ts";
import type { Menu, MenuSource } from "./use-menu.ts";

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
    <MenuList
      menu={menu}
      label={t("Commands")}
      found={t("{0} commands found", menu.items.length)}
      testId="slash"
      tall
      keyOf={({ name }) => `/${name}`}
    >
      {({ name, kind, description }) => (
        <>
          <span className="picker-name">/{name}</span>
          <span className="picker-note">
            {kind === "workflow" ? <Visible text={description} /> : slashCommandText(t, name)}
          </span>
        </>
      )}
    </MenuList>
  );
}
