/** Lists all tools with what each costs in a request, and switches one of them. */
import type { ListedModelTool, ToolGroup, ToolList, ToolSwitchAction } from "../../../shared/tool-list.ts";
import { estimateTokens } from "../../context/tokens.ts";
import { ToolError } from "../../errors.ts";
import type { EditorTool, EditorTools } from "../../ports/editor-tools.ts";
import type { ServerTool } from "../../ports/servers.ts";
import type { Log } from "../../ports/system.ts";
import type { ToolChoices } from "../../servers/server-types.ts";
import { functionName, serverTool } from "../../tools/servers/server-tools.ts";
import { ToolSet } from "../../tools/set/tool-set.ts";
import { editorTool, editorToolHash, editorToolKey } from "../../tools/switches/editor-tool.ts";
import type { ToolRecords } from "../../tools/switches/tool-records.ts";
import type { Tool } from "../../tools/tool.ts";

/** A server whose tools are known. */
export interface ServerWithTools {
  name: string;
  tools: readonly ServerTool[];
  choices: ToolChoices;
  setChoices(choices: ToolChoices): Promise<void>;
}

export interface ToolListDeps {
  /** Those of the host, without those of servers and extensions. */
  builtIn: readonly Tool[];
  servers: readonly ServerWithTools[];
  port?: EditorTools | undefined;
  /** undefined: there is no data folder. */
  records: ToolRecords | undefined;
  log: Log;
}

/** Tools without which a task cannot ask the user, present a plan or end. They do nothing else. */
export function isNeeded({ access, reaches }: Pick<Tool, "access" | "reaches">): boolean {
  return access === "talk" && reaches === undefined;
}

/** Estimated tokens of the tool as a function, as the context window of a task counts them. */
export function toolTokens(tool: Tool): number {
  return new ToolSet([tool]).native().reduce((sum, each) => sum + estimateTokens(JSON.stringify(each)), 0);
}

export async function listTools(deps: ToolListDeps): Promise<ToolList> {
  const { servers, port, records } = deps;
  const off = (await records?.off()) ?? [];
  const builtIn = switchableTools(deps).map((tool): ListedModelTool => {
    const needed = isNeeded(tool);
    return {
      name: tool.name,
      description: tool.description,
      on: needed || !off.includes(tool.name),
      tokens: toolTokens(tool),
      ...(needed ? { fixed: "needed" } : {}),
    };
  });
  const groups: ToolGroup[] = [{ origin: "built-in", owner: "", tools: builtIn }];
  for (const server of servers) {
    if (server.tools.length === 0) continue;
    groups.push({ origin: "server", owner: server.name, tools: serverToolList(server, deps) });
  }
  if (port && records) groups.push(...(await extensionGroups(port, records, deps)));
  return { groups, canChange: records !== undefined };
}

/** The built-in tools that requests contain as functions. Others follow from the servers. */
function switchableTools({ builtIn }: ToolListDeps): Tool[] {
  return builtIn.filter(({ offered }) => offered === undefined);
}

function serverToolList(
  { name: server, tools, choices }: ServerWithTools,
  deps: ToolListDeps,
): ListedModelTool[] {
  const used = new Set<string>();
  return tools.map((tool): ListedModelTool => {
    const { name, title, description } = tool;
    const made = usable(() => serverTool(server, tool, functionName(server, name, used)), name, deps);
    return {
      name,
      ...(title === undefined ? {} : { title }),
      description,
      on: made !== undefined && !choices.off.includes(name),
      tokens: made ? toolTokens(made) : 0,
      ...(made ? {} : { fixed: "broken" }),
    };
  });
}

async function extensionGroups(
  port: EditorTools,
  records: ToolRecords,
  deps: ToolListDeps,
): Promise<ToolGroup[]> {
  const choices = await records.editor();
  const groups = new Map<string, ToolGroup>();
  const used = new Set<string>();
  for (const tool of sorted(port.list())) {
    const { extension, owner, name, title, description } = tool;
    const group: ToolGroup = groups.get(extension) ?? {
      origin: "extension",
      owner,
      id: extension,
      tools: [],
    };
    groups.set(extension, group);
    const choice = choices[editorToolKey(tool)];
    const made = usable(
      () => editorTool(tool, functionName("ext", name, used), { port, records }),
      name,
      deps,
    );
    const fixed = made === undefined ? "broken" : choice?.needsChat ? "editor-chat" : undefined;
    group.tools.push({
      name,
      ...(title === undefined ? {} : { title }),
      description,
      on: choice?.on === true && fixed === undefined,
      tokens: made ? toolTokens(made) : 0,
      ...(fixed ? { fixed } : {}),
    });
  }
  return [...groups.values()].sort((a, b) => (a.owner < b.owner ? -1 : 1));
}

function sorted(tools: readonly EditorTool[]): EditorTool[] {
  return [...tools].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function usable(make: () => Tool, name: string, { log }: Pick<ToolListDeps, "log">): Tool | undefined {
  try {
    return make();
  } catch (error) {
    log.info(`the tool ${name} cannot be offered: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

/** Throws ToolError if there is no such tool, or if it cannot be switched. */
export async function switchTool(action: ToolSwitchAction, deps: ToolListDeps): Promise<void> {
  const { origin, owner, name, on } = action;
  const { servers, port, records } = deps;
  const unknown = new ToolError(`There is no tool named ${name}.`);
  switch (origin) {
    case "built-in": {
      const tool = switchableTools(deps).find((each) => each.name === name);
      if (!tool || !records) throw unknown;
      if (isNeeded(tool)) throw new ToolError(`${name} cannot be switched off.`);
      return records.setBuiltIn(name, on);
    }
    case "server": {
      const server = servers.find((each) => each.name === owner);
      if (!server?.tools.some((tool) => tool.name === name)) throw unknown;
      const others = server.choices.off.filter((each) => each !== name);
      return server.setChoices({ ...server.choices, off: on ? others : [...others, name] });
    }
    case "extension": {
      const tool = port?.list().find((each) => each.extension === owner && each.name === name);
      if (!tool || !records) throw unknown;
      const accepted = await editorToolHash(tool);
      // What was allowed once has to be allowed again, because switching a tool off is a change of mind.
      return records.setEditor(
        editorToolKey(tool),
        on ? { on, accepted, always: false } : { on, always: false },
      );
    }
  }
}
