/**
 * Determines what a command line is known to destroy, from its shell's syntax. If that is uncertain, the result is
 * the whole project.
 */

import type { Destruction } from "../../ports/file-trees.ts";
import type { ShellKind } from "../../ports/shell.ts";
import type { Assets } from "../../ports/system.ts";
import { loadGrammar } from "../shells/grammar.ts";
import { LONGEST_COMMAND } from "../shells/hidden-characters.ts";
import { cmdDestroys } from "./cmd-destruction.ts";
import { posixDestroys } from "./posix-destruction.ts";
import { powershellDestroys } from "./powershell-destruction.ts";
import { looksDestroying } from "./program-destruction.ts";
import { type CommandFolders, TargetList } from "./target-list.ts";

export type { Destruction } from "../../ports/file-trees.ts";
export type { CommandFolders } from "./target-list.ts";

/** Returns undefined if the command is not known to destroy anything. Rejects only if the grammar cannot be loaded. */
export async function destructionOf(
  assets: Assets,
  command: string,
  shell: ShellKind,
  around: CommandFolders,
): Promise<Destruction | undefined> {
  const list = new TargetList(around);
  if (command.length > LONGEST_COMMAND) {
    if (looksDestroying(command)) list.everything();
  } else if (shell === "cmd") cmdDestroys(command, list);
  else if (shell === "powershell") powershellDestroys(command, list);
  else posixDestroys(await loadGrammar(assets, "bash"), command, list);
  return list.result();
}
