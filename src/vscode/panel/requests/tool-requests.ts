/** Answers the panel's requests about all tools, independent of the editor. */
import * as z from "zod/mini";
import type { Project } from "../../../core/agent/project.ts";
import type { Result } from "../../../shared/protocol.ts";
import { toolSwitchSchema } from "../../../shared/tool-list.ts";

export function toolRequests(
  project: Pick<Project, "tools" | "switchTool">,
): (ask: unknown) => Promise<Result<"tools/ask">> {
  return async (ask) => {
    const action = z.nullable(toolSwitchSchema).parse(ask);
    if (action) await project.switchTool(action);
    return { list: await project.tools() };
  };
}
