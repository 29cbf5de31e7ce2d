/** `nekode tools`: lists all tools with what each adds to a request, and switches them. No session is opened, and no server starts. */
import path from "node:path";
import {
  listTools,
  type ServerWithTools,
  switchTool,
  type ToolListDeps,
} from "../../core/agent/project/all-tools.ts";
import { ToolError } from "../../core/errors.ts";
import type { ServerTool } from "../../core/ports/servers.ts";
import { toolsFor } from "../../core/tools/registry.ts";
import { createToolRecords } from "../../node/open-project.ts";
import { defaultDataDir } from "../../node/store/project-store.ts";
import { openTerminalHost } from "../../node/terminal-host.ts";
import {
  type ToolGroup,
  type ToolList,
  type ToolSwitchAction,
  tokensOfTools,
} from "../../shared/tool-list.ts";
import { fixedToolText, toolGroupTitle } from "../../shared/words/tool-words.ts";
import { commandLine } from "../command-line.ts";
import { assetsDir, folderAt, type ProgramContext, print, programDir } from "../program.ts";
import { EXIT_CODE } from "../run.ts";
import { jsonLine, oneLine } from "../screen.ts";
import { terminalServers } from "../servers/mcp-main.ts";
import { UsageError } from "../usage-error.ts";

export const TOOLS_USAGE = `Usage: nekode tools [list] [--json]
       nekode tools enable|disable NAME...

Lists the tools that the model can call, the built-in ones and those of MCP servers, with the tokens that each adds to
every request, and switches them on or off. NAME is the name of a built-in tool, or SERVER/TOOL. A change applies to all
your projects, and to a running session from its next message. The tools of a server are known after it has run once.

  --json            list as JSON, one tool per line
  --cwd DIR         project folder (default: current folder)
  --config-dir DIR  configuration folder (NEKODE_CONFIG_DIR)
  --data-dir DIR    folder that stores what you choose (NEKODE_DATA_DIR)

Exit codes: 0 done, 1 error, 2 invalid usage.
`;

/** Resolves with the exit code. */
export async function manageTools(run: ProgramContext, args: readonly string[]): Promise<number> {
  const { values, positionals } = commandLine(args, {
    json: { type: "boolean" },
    cwd: { type: "string" },
    "config-dir": { type: "string" },
    "data-dir": { type: "string" },
    help: { type: "boolean", short: "h" },
  });
  if (values.help) return print(run, TOOLS_USAGE);
  const [action = "list", ...names] = positionals;
  if (action !== "list" && action !== "enable" && action !== "disable")
    throw new UsageError(`tools accepts list, enable and disable, not ${JSON.stringify(action)}`);
  if ((action === "list") !== (names.length === 0))
    throw new UsageError(
      action === "list" ? "tools list accepts no NAME" : `tools ${action} requires the NAME of a tool`,
    );
  const folder = (given: string | undefined) =>
    given === undefined ? undefined : path.resolve(run.cwd, given);
  const { environment, log } = run;
  const dataDir = folder(values["data-dir"]) ?? defaultDataDir(environment);
  if (dataDir === undefined)
    throw new UsageError("there is no home folder; specify a folder with --data-dir");
  const root = folderAt(path.resolve(run.cwd, values.cwd ?? "."));
  const host = await openTerminalHost({
    root,
    assetsDir,
    environment,
    dataDir,
    log,
  });
  try {
    const options = { dataDir, configDir: folder(values["config-dir"]), terminal: undefined };
    const { setup } = terminalServers({ ...run, ...options, host, programDir, version: "" });
    const deps: ToolListDeps = {
      builtIn: toolsFor(host),
      servers: await knownServers(setup),
      records: createToolRecords(dataDir, log),
      log: { ...log, info: () => undefined },
    };
    const list = await listTools(deps);
    if (action === "list") return await printTools(run, list, values.json ?? false);
    // All or none: a mistyped name switches nothing.
    const actions = names.map((name) => actionFor(run, list, name, action === "enable"));
    for (const each of actions) await switchTool(each, deps);
    return EXIT_CODE.completed;
  } catch (error) {
    throw error instanceof ToolError ? new Error(error.message) : error;
  } finally {
    host.shell.dispose();
  }
}

/** The servers that the user approved and whose tools are known. */
async function knownServers({
  config,
  records,
}: ReturnType<typeof terminalServers>["setup"]): Promise<ServerWithTools[]> {
  const { servers } = await config.load();
  return Promise.all(
    servers.map(async (server) => {
      const { state } = await records.trustOf(server);
      const offer = state === "trusted" ? await records.lastOffer(server) : undefined;
      const tools: readonly ServerTool[] = offer?.tools ?? [];
      const choices = await records.choices(server);
      const known: ServerWithTools = {
        ...{ name: server.name, tools, choices },
        setChoices: async (changed) => {
          await records.setChoices(server, changed);
          known.choices = changed;
        },
      };
      return known;
    }),
  );
}

function actionFor(
  { t }: ProgramContext,
  { groups }: ToolList,
  named: string,
  on: boolean,
): ToolSwitchAction {
  for (const { origin, owner, tools } of groups) {
    const found = tools.find(({ name }) => named === (origin === "built-in" ? name : `${owner}/${name}`));
    if (found?.fixed) throw new UsageError(`${oneLine(named)}: ${fixedToolText(t, found.fixed)}`);
    if (found) return { origin, owner, name: found.name, on };
  }
  throw new UsageError(t("There is no tool {0}. See: {1}", oneLine(named), "nekode tools"));
}

async function printTools(run: ProgramContext, { groups }: ToolList, json: boolean): Promise<number> {
  const { screen, t } = run;
  if (json) {
    for (const { origin, owner, tools } of groups)
      for (const tool of tools)
        await screen.out(jsonLine({ origin, ...(owner === "" ? {} : { owner }), ...tool }));
    return EXIT_CODE.completed;
  }
  const sum = tokensOfTools(groups.flatMap(({ tools }) => tools));
  for (const group of groups) await screen.out(groupText(run, group));
  await screen.out(`${t("About {0} tokens in each request", sum.toLocaleString("en"))}\n`);
  return EXIT_CODE.completed;
}

/** Each line ends with a line feed. */
function groupText({ t }: ProgramContext, group: ToolGroup): string {
  const { origin, owner, tools } = group;
  const lines = tools.map(({ name, on, tokens, fixed }) => {
    const state = on ? t("on") : t("off");
    const why = fixed === undefined ? "" : `  ${fixedToolText(t, fixed)}`;
    const called = origin === "built-in" ? name : `${owner}/${name}`;
    return `  ${oneLine(called)}  ${state}  ${t("{0} tokens", tokens.toLocaleString("en"))}${why}\n`;
  });
  return `${oneLine(toolGroupTitle(t, group))}: ${t("{0} tokens", tokensOfTools(tools).toLocaleString("en"))}\n${lines.join("")}`;
}
