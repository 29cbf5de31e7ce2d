/** Edits of a file that another task of the project changed meanwhile. */
import { ToolError } from "../../errors.ts";
import type { ToolContext } from "../tool.ts";
import { displayPath } from "../tool-paths.ts";

type Context = Pick<ToolContext, "host" | "seen" | "writers">;

/** The task that changed a file, if it was another task, as part of a sentence. */
export function whoWrote(
  { writers }: Pick<Context, "writers">,
  path: string,
  since?: number,
): string | undefined {
  const title = writers?.other(path, since);
  return title === undefined ? undefined : `the other task “${title.replace(/\s+/g, " ").trim()}”`;
}

/**
 * Throws ToolError if another task changed the file since this one last saw it: an edit that happens to match might contradict
 * that change. `version`: of the file as it is.
 */
export function refuseStale(context: Context, path: string, version: string | undefined): void {
  const seen = context.seen.get(path);
  if (seen === undefined || version === undefined || seen === version) return;
  const who = whoWrote(context, path);
  if (who === undefined) return;
  const shown = displayPath(context.host.workspace, path);
  throw new ToolError(
    `${shown} was changed by ${who} since you read it. Nothing was changed. Read it again, then edit it.`,
  );
}
