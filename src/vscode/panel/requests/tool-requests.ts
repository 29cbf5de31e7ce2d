/** Answers the panel's requests about all tools, independent of the editor. */
import type { Project } from "../../../core/agent/project.ts";
import type { Result } from "../../../shared/protocol.ts";
import { toolSwitchSchema } from "../../../shared/tool-list.ts";
import * as z from "../../../shared/zod.ts";

export function toolRequests(
  project: Pick<Project, "tools" | "switchTool">,
): (ask: unknown) => Promise<Result<"tools/ask">> {
  return async (ask) => {
    const action = z.nullable(toolSwitchSchema).parse(ask);
    if (action) await project.switchTool(action);
    return { list: await project.tools() };
  };
}
