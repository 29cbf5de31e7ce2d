/** The tools of one session, which do not change during a turn. */
import type { ToolRegistry } from "../registry.ts";
import type { Tool } from "../tool.ts";
import type { RequiredOutput } from "./required-output.ts";
import { ToolSet } from "./tool-set.ts";

/** Names of tools; a tool whose definition changed is in both lists. */
export interface ToolChange {
  added: string[];
  removed: string[];
}

/**
 * Tools are part of the prompt, and each request must begin with the previous one. Changes to the registry therefore apply
 * only when a turn begins; they break the prefix, which `take` reports. A call of a tool that was removed since then still
 * reaches the tool.
 */
export class TaskTools extends ToolSet {
  readonly #registry: ToolRegistry;
  readonly #offered: (tool: Tool) => Tool;
  #taken: ToolSet;
  /** Tools of this session alone, after all others. */
  #own: readonly Tool[] = [];

  /** `output`: what final answers must be, if not any text. */
  constructor(registry: ToolRegistry, output?: Pick<RequiredOutput, "offered">) {
    const now = registry.snapshot();
    const offered = (tool: Tool) => output?.offered(tool) ?? tool;
    super(now.tools.map(offered), now.servers);
    this.#registry = registry;
    this.#offered = offered;
    this.#taken = now;
  }

  /** Sets the tools that this session alone has. They are offered at once, so nothing but the begin of a turn may call this. */
  setOwn(tools: readonly Tool[]): void {
    if (tools.length === this.#own.length && tools.every((tool, index) => tool === this.#own[index])) return;
    this.#own = tools;
    this.replace(this.#all(), this.#taken.servers, this.isDeferred);
  }

  #all(): Tool[] {
    return [...this.#taken.tools.map(this.#offered), ...this.#own];
  }

  /**
   * Updates to the registry's current tools. undefined: nothing changed. `tooMany`: whether these tools of servers take too much
   * of the context window to be offered whole; once they do, they stay deferred.
   */
  take(tooMany: (tools: readonly Tool[]) => boolean = () => false): ToolChange | undefined {
    const now = this.#registry.snapshot();
    const tools = [...now.tools.map(this.#offered), ...this.#own];
    const fromServers = tools.filter(({ origin }) => origin === "server");
    const deferred = this.isDeferred || tooMany(fromServers);
    if (now === this.#taken && deferred === this.isDeferred) return undefined;
    this.#taken = now;
    const added = namesOf(tools, this.tools);
    const removed = namesOf(this.tools, tools);
    const isSame = added.length + removed.length === 0 && deferred === this.isDeferred;
    this.replace(tools, now.servers, deferred);
    return isSame ? undefined : { added, removed };
  }
}

/** Names of the tools that are in `tools` but not in `others`. */
function namesOf(tools: readonly Tool[], others: readonly Tool[]): string[] {
  return tools.filter((tool) => !others.includes(tool)).map(({ name }) => name);
}
