/** The active tools: the built-in ones, and those that are added and removed while sessions run. */

import type { ToolCallBlock } from "../../shared/message.ts";
import type { Result } from "../../shared/protocol.ts";
import { normalize } from "../assistant/spelling.ts";
import { type Disposable, Emitter } from "../lifecycle.ts";
import type { Host } from "../ports/host.ts";
import type { OfferedServer, ProjectServers } from "../servers/project-servers.ts";
import { applyPatchTool } from "./apply-patch.ts";
import { browserAction } from "./browser-action.ts";
import { startTask } from "./children/start-task.ts";
import { condense, newTask } from "./choices.ts";
import { codeSymbols } from "./code-symbols.ts";
import { deleteFile } from "./delete-file.ts";
import { editNotebook } from "./edit-notebook.ts";
import { executeCommand } from "./execute-command.ts";
import { listCodeDefinitionNames } from "./list-code-definition-names.ts";
import { listFiles } from "./list-files.ts";
import { newRule } from "./new-rule.ts";
import { readFile } from "./read-file.ts";
import { readTerminal } from "./read-terminal.ts";
import { refactorCode } from "./refactor-code.ts";
import { noteNamed, REMEMBER, REMEMBER_SHORTENING } from "./remember.ts";
import { replaceInFile } from "./replace-in-file.ts";
import { runCell } from "./run-cell.ts";
import { runTests } from "./run-tests.ts";
import { searchFiles } from "./search-files.ts";
import { loadMcpDocumentation } from "./servers/load-mcp-documentation.ts";
import { ToolSet } from "./set/tool-set.ts";
import { askFollowupQuestion, attemptCompletion, planModeRespond } from "./talk.ts";
import type { ResultShortening, Tool } from "./tool.ts";
import { SKILL_SHORTENING, skillNamed, USE_SKILL } from "./use-skill.ts";
import { webFetch } from "./web-fetch.ts";
import { writeToFile } from "./write-to-file.ts";

/** The built-in tools, in the order in which the prompt documents them. */
export const defaultTools: readonly Tool[] = [
  executeCommand,
  runTests,
  readTerminal,
  readFile,
  writeToFile,
  replaceInFile,
  applyPatchTool,
  deleteFile,
  editNotebook,
  runCell,
  searchFiles,
  listFiles,
  listCodeDefinitionNames,
  codeSymbols,
  refactorCode,
  webFetch,
  browserAction,
  askFollowupQuestion,
  attemptCompletion,
  startTask,
  newTask,
  condense,
  newRule,
  loadMcpDocumentation,
  planModeRespond,
];

/** The built-in tools whose ports the host has. */
export function toolsFor(host: Partial<Pick<Host, "browser" | "codeSymbols" | "kernels">>): Tool[] {
  return defaultTools.filter(({ needs }) => needs === undefined || host[needs] !== undefined);
}

/** Function names that every endpoint accepts. */
const NAME_PATTERN = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

export class ToolRegistry extends ToolSet {
  readonly #own: readonly Tool[];
  readonly #added = new Map<string, Tool>();
  readonly #changed = new Emitter<void>();
  #snapshot: ToolSet | undefined;
  #batch = 0;

  /** Fires when a tool was added or removed. */
  readonly onChange = this.#changed.on;

  constructor(own: readonly Tool[] = defaultTools) {
    super(own);
    this.#own = own;
  }

  /** An immutable copy of the current tools; the same object until a tool is added or removed. */
  snapshot(): ToolSet {
    this.#snapshot ??= new ToolSet(this.tools, this.servers);
    return this.#snapshot;
  }

  /**
   * Adds the tool until the result is disposed. Added tools follow the built-in ones, sorted by name, so that the order
   * does not depend on when each was added. Throws for a name that some endpoint rejects, or that in any spelling already
   * means another tool; callers that add third-party tools prefix the names with the owner's.
   */
  add(tool: Tool): Disposable {
    if (!NAME_PATTERN.test(tool.name)) {
      throw new Error(
        `${JSON.stringify(tool.name)} is not a valid tool name: only letters, digits, _ and - are allowed`,
      );
    }
    const taken = this.#toolNamed(tool.name);
    if (taken !== undefined) throw new Error(`the name ${tool.name} already means the tool ${taken}`);
    this.#added.set(tool.name, tool);
    this.#update();
    return {
      dispose: () => {
        if (this.#added.get(tool.name) !== tool) return;
        this.#added.delete(tool.name);
        this.#update();
      },
    };
  }

  /** Also knows calls of the tools for skills and for memory, which are not in the registry: each task has its own. */
  override subject(call: Pick<ToolCallBlock, "name" | "params">): string {
    if (call.name === REMEMBER) return noteNamed(call.params);
    return call.name === USE_SKILL ? skillNamed(call.params) : super.subject(call);
  }

  /** The MCP servers that the prompt describes. */
  setServers(servers: readonly OfferedServer[]): void {
    this.#update(servers);
  }

  /** Makes several changes one: listeners see the tools before or after all of them. */
  batch(change: () => void): void {
    this.#batch++;
    try {
      change();
    } finally {
      this.#batch--;
      this.#update(this.servers);
    }
  }

  #toolNamed(name: string): string | undefined {
    const plain = normalize(name);
    return this.tools.find((tool) =>
      [tool.name, ...(tool.aliases ?? []).map((alias) => alias.name)].some(
        (each) => normalize(each) === plain,
      ),
    )?.name;
  }

  #update(servers = this.servers): void {
    const added = [...this.#added.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    this.replace([...this.#own, ...added], servers);
    if (this.#batch > 0) return;
    this.#snapshot = undefined;
    this.#changed.emit();
  }
}

const resultShortenings = new Map<string, ResultShortening>([
  ...defaultTools.map(({ name, resultShortening = {} }) => [name, resultShortening] as const),
  [USE_SKILL, SKILL_SHORTENING],
  [REMEMBER, REMEMBER_SHORTENING],
]);

/**
 * How old results of this tool are shortened. Only built-in tools define it: what requests omit must not depend on which
 * other tools are present.
 */
export function resultShorteningOf(name: string): ResultShortening {
  return resultShortenings.get(name) ?? {};
}

/** The tools and servers for which a session can have exceptions from its level of permission. */
export function permissionItems(
  registry: ToolRegistry,
  servers: ProjectServers | undefined,
): Result<"permission/items"> {
  return {
    // A server stands for its tools; a tool that only talks never asks.
    tools: registry.tools.flatMap(({ name, access, presentation }) =>
      access === "talk" || access === "mcp" ? [] : [{ name, access, verb: presentation.title.doing }],
    ),
    servers: (servers?.all ?? []).map(({ server }) => server.name),
  };
}
