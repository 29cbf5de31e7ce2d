/** Follows `cd` through the commands of one text: a `cd` before a command may or may not have succeeded. */
import { cdTarget, isCd } from "../programs/change-folder.ts";
import type { PlacedCommand, SimpleCommand } from "./shell-words.ts";

/** More folders that a command may run in count as any folder. */
const MAX_FOLDERS = 4;

/** `ordered`: each command runs at most once, and in this order. */
export function placed(commands: readonly SimpleCommand[], ordered: boolean): PlacedCommand[] {
  if (!ordered && commands.some(isCd)) return commands.map((command) => ({ ...command, folders: undefined }));
  /** All folders that a later command may run in, and those that the next one may run in if it is linked. */
  let all: readonly string[] | undefined = [""];
  let now: readonly string[] | undefined = all;
  return commands.map((command, i) => {
    if (command.link === undefined) now = all;
    const folders = now;
    if (isCd(command)) {
      const next = below(now, cdTarget(command.words.slice(1)));
      all = all && next && [...new Set([...all, ...next])];
      if ((all?.length ?? 0) > MAX_FOLDERS) all = undefined;
      // In a pipeline, it depends on the shell whether it changes the folder of the next command.
      now = command.link === "pipe" || commands[i + 1]?.link === "pipe" ? all : next;
    }
    return { ...command, folders };
  });
}

function below(folders: readonly string[] | undefined, target: string | undefined): string[] | undefined {
  if (target === undefined) return undefined;
  const path = target.endsWith("/") ? target : `${target}/`;
  return isAbsolute(path) ? [path] : folders?.map((folder) => folder + path);
}

export function isAbsolute(path: string): boolean {
  return /^(?:[/\\]|[A-Za-z]:)/.test(path);
}
