/** Answers the panel's requests about hooks, independent of the editor. */
import { ToolError } from "../../core/errors.ts";
import type { ProjectHooks } from "../../core/hooks/project-hooks.ts";
import { hookActionSchema } from "../../shared/hook-list.ts";
import type { Result } from "../../shared/protocol.ts";
import { reasonWords } from "../../shared/words/reasons/reasons.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import * as z from "../../shared/zod.ts";

export interface HookRequestDeps {
  /** undefined: this host has no data folder, so that no hook can be approved. */
  hooks: ProjectHooks | undefined;
  openFile(file: string, line: number): Promise<void>;
  t: Translate;
}

export function hookRequests({
  hooks,
  openFile,
  t,
}: HookRequestDeps): (ask: unknown) => Promise<Result<"hooks/ask">> {
  return async (ask) => {
    if (!hooks) return { list: { hooks: [], problems: [], untrustedWorkspace: false } };
    const action = z.nullable(hookActionSchema).parse(ask);
    try {
      if (action?.action === "open") {
        const { hooks: all, problems } = hooks.list();
        // Only files of the list, because the panel shows names from workspaces.
        if (![...all, ...problems].some(({ file }) => file === action.file))
          throw new Error(`${action.file} is not a file of hooks`);
        await openFile(action.file, action.line);
      } else if (action) await hooks.act(action);
      else await hooks.load();
    } catch (error) {
      throw error instanceof ToolError && error.fault ? new Error(reasonWords(t, error.fault)) : error;
    }
    return { list: hooks.list() };
  };
}
