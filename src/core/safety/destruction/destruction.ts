/**
 * Determines what a command line is known to destroy, from the commands that its shell's reader finds in it. What is not certain
 * keeps the whole project.
 */
import { resolve } from "node:path";
import type { Destruction } from "../../ports/file-trees.ts";
import type { ShellKind } from "../../ports/shell.ts";
import type { Assets } from "../../ports/system.ts";
import { loadReader } from "../shells/read.ts";
import { isWindowsShell } from "../shells/shell-words.ts";
import { looksDestroying, programDestroys } from "./program-destruction.ts";
import { type CommandFolders, type ForecastContext, TargetRecorder, Targets } from "./target-list.ts";

export type { Destruction } from "../../ports/file-trees.ts";
export type { CommandFolders } from "./target-list.ts";

/** Deeper commands in commands, as in `sh -c "sh -c ..."`, count as destroying. */
const DEEPEST = 8;

/** Returns undefined if the command is not known to destroy anything. Rejects only if the grammar cannot be loaded. */
export async function destructionOf(
  assets: Assets,
  command: string,
  shell: ShellKind,
  around: CommandFolders,
): Promise<Destruction | undefined> {
  const read = await loadReader(assets, shell, command);
  const targets = new Targets(around);
  const isWindows = isWindowsShell(shell);
  const record = (text: string, context: ForecastContext, depth: number): void => {
    const { commands, certain } = read(text);
    if (depth > DEEPEST || (!certain && looksDestroying(text))) {
      targets.everything();
      if (/\bgit\b/.test(text)) targets.git();
      return;
    }
    for (const { words, writes = [], folders, piped } of commands) {
      const here =
        folders && context.folders?.flatMap((outer) => folders.map((each) => resolve(outer, each)));
      const inner: ForecastContext = { ...context, folders: here, isPiped: piped !== undefined };
      const recorder = new TargetRecorder(targets, inner, isWindows, (nested, at) =>
        record(nested, at, depth + 1),
      );
      recorder.paths(writes);
      programDestroys(words, recorder, text);
    }
  };
  record(command, { folders: [around.cwd], certain: true }, 0);
  return targets.result();
}
