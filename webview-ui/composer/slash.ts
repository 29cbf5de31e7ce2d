/** The `/` command being typed at the cursor, and the commands that match it. */
import type { SlashCommand } from "../../src/shared/protocol.ts";
import type { Edited, MenuDraft } from "./use-menu.ts";

/** Matches a `/` at the start or after white space, and the letters of a name after it. */
export function slashAt(text: string, cursor: number): MenuDraft | null {
  const match = /(?:^|\s)\/([\p{L}\p{N}._:-]*)$/u.exec(text.slice(0, cursor));
  const query = match?.[1];
  return query === undefined ? null : { start: cursor - query.length - 1, end: cursor, query };
}

/** Commands whose name starts with the query, then those that contain it elsewhere. */
export function fitting(commands: readonly SlashCommand[], query: string): SlashCommand[] {
  const wanted = query.toLowerCase();
  const at = ({ name }: SlashCommand) => name.toLowerCase().indexOf(wanted);
  return [
    ...commands.filter((command) => at(command) === 0),
    ...commands.filter((command) => at(command) > 0),
  ];
}

export function putCommand(text: string, draft: MenuDraft, { name }: SlashCommand): Edited {
  const rest = text.slice(draft.end);
  const gap = /^\s/.test(rest) ? "" : " ";
  const head = `${text.slice(0, draft.start)}/${name}${gap}`;
  return { text: head + rest, cursor: head.length + (gap === "" ? 1 : 0) };
}
