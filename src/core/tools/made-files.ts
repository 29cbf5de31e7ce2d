/** Files that take effect by themselves and that a command in the sandbox made. */
import type { MadeFiles } from "../../shared/message.ts";
import { mayBeInstructions } from "../instruction-kinds.ts";
import type { Workspace } from "../ports/workspace.ts";
import { displayPath } from "./tool-paths.ts";

/** Files that are named. */
const MOST_NAMED = 10;

/** `made`: absolute. undefined: there are none. */
export function madeFiles(made: readonly string[], workspace: Workspace): MadeFiles | undefined {
  if (made.length === 0) return undefined;
  const names = made.map((path) => displayPath(workspace, path)).sort();
  const named = names.slice(0, MOST_NAMED);
  return {
    rules: named.filter(mayBeInstructions),
    others: named.filter((name) => !mayBeInstructions(name)),
    more: names.length - named.length,
  };
}

/** For the model. */
export function madeFilesText({ rules, others, more }: MadeFiles): string {
  return [
    ...(rules.length === 0 ? [] : [`New files that instruct agents: ${rules.join(", ")}.`]),
    ...(others.length === 0 ? [] : [`New files that take effect by themselves: ${others.join(", ")}.`]),
    ...(more === 0 ? [] : [`${more} more such files are new.`]),
    "The user sees this. Delete what the task does not need; otherwise say at the end what it is for.",
  ].join(" ");
}
