/** The tools of a task that another task started. */
import { ToolError } from "../../errors.ts";
import type { ChildKind, WantedChild } from "../../tools/children/child-tasks.ts";
import { ToolRegistry } from "../../tools/registry.ts";
import type { ToolSet } from "../../tools/set/tool-set.ts";
import type { Tool } from "../../tools/tool.ts";

/** It can neither ask the user nor start tasks, and only reading tools let it read. */
function isFor(kind: ChildKind, { access, turnEnd, sideBySide }: Tool): boolean {
  if (access === "talk") return turnEnd === "completed" && !sideBySide;
  return kind === "work" || access === "read";
}

/** The tools do not change while the task runs. Throws ToolError for a tool that it cannot have. */
export function childRegistry(tools: ToolSet, { kind, tools: names }: WantedChild): ToolRegistry {
  const usable = tools.tools.filter((tool) => isFor(kind, tool));
  const wanted = names?.map((name) => {
    const tool = tools.find(name);
    if (tool && usable.includes(tool)) return tool;
    const offered = usable.filter(({ access }) => access !== "talk").map((each) => each.name);
    throw new ToolError(`A task of kind ${kind} has no tool ${name}. It can have: ${offered.join(", ")}.`);
  });
  // Without the tool that ends it, a task could not report.
  const chosen = usable.filter((tool) => !wanted || wanted.includes(tool) || tool.access === "talk");
  const registry = new ToolRegistry(chosen);
  if (chosen.some(({ access }) => access === "mcp")) registry.setServers(tools.servers);
  return registry;
}
