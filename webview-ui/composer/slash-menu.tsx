/** The `/` menu: built-in commands, skills, prompt files and prompts of MCP servers. */
import { useState } from "react";
import type { SlashCommand } from "../../src/shared/protocol.ts";
import { isPanelCommand, PANEL_COMMANDS } from "../../src/shared/words/command-words.ts";
import type { Translate } from "../../src/shared/words/task-words.ts";
import type { Actions } from "../actions.ts";
import { onDemand } from "../on-demand.tsx";
import { usePanel } from "../panel.ts";
import type { RunCommand } from "./panel-commands.ts";
import type { Menu, MenuDraft, MenuSource, TextWithCursor } from "./use-menu.ts";

// Loads when the user first opens the menu.
const SlashList = onDemand(() => import("./menus/slash-list.tsx"));

interface SlashSource extends MenuSource<SlashCommand> {
  /** MCP servers whose prompts are not among the items found last. */
  unlisted: readonly string[];
}

const OWN = PANEL_COMMANDS.map((name): SlashCommand => ({ name, kind: "command", description: "" }));

function slashSource(actions: Actions, run: RunCommand | undefined): SlashSource {
  const isOwn = ({ name }: SlashCommand) => run !== undefined && isPanelCommand(name);
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
        return fitting(run ? [...OWN, ...commands] : commands, query);
      } catch (error) {
        list = null;
        throw error;
      }
    },
    put(text, draft, item) {
      if (!isOwn(item)) return putCommand(text, draft, item);
      // After the text has changed, because the command may move the focus.
      queueMicrotask(() => run?.(`/${item.name}`));
      return { text: text.slice(0, draft.start) + text.slice(draft.end), cursor: draft.start };
    },
    isWhole: (draft, item) => item.name === draft.query && !isOwn(item),
  };
}

/** `run`: carries out the panel's own commands, which are not offered without it. Must be the same function on every render. */
export function useSlashSource(run: RunCommand | undefined): SlashSource {
  const { actions } = usePanel();
  return useState(() => slashSource(actions, run))[0];
}

function foundText(t: Translate, count: number): string {
  return count === 1 ? t("1 command found") : t("{0} commands found", count);
}

export function SlashMenu({ menu, source }: { menu: Menu<SlashCommand>; source: SlashSource }) {
  const { t } = usePanel();
  return (
    <>
      <div className="only-heard" role="status">
        {menu.open ? foundText(t, menu.items.length) : ""}
      </div>
      {menu.open ? <SlashList menu={menu} unlisted={source.unlisted} /> : null}
    </>
  );
}

/** Matches a `/` at the start or after white space, and the letters of a name after it. */
function slashAt(text: string, cursor: number): MenuDraft | null {
  const match = /(?:^|\s)\/([\p{L}\p{N}._:-]*)$/u.exec(text.slice(0, cursor));
  const query = match?.[1];
  return query === undefined ? null : { start: cursor - query.length - 1, end: cursor, query };
}

/** Commands whose name starts with the query, then those that contain it elsewhere. */
function fitting(commands: readonly SlashCommand[], query: string): SlashCommand[] {
  const wanted = query.toLowerCase();
  const at = ({ name }: SlashCommand) => name.toLowerCase().indexOf(wanted);
  return [
    ...commands.filter((command) => at(command) === 0),
    ...commands.filter((command) => at(command) > 0),
  ];
}

function putCommand(text: string, draft: MenuDraft, { name }: SlashCommand): TextWithCursor {
  const rest = text.slice(draft.end);
  const gap = /^\s/.test(rest) ? "" : " ";
  const head = `${text.slice(0, draft.start)}/${name}${gap}`;
  return { text: head + rest, cursor: head.length + (gap === "" ? 1 : 0) };
}
