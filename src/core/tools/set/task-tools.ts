/** The tools of one session, which hardly ever change during a turn. */
import type { ToolRegistry } from "../registry.ts";
import type { Tool } from "../tool.ts";
import type { ToolLimits } from "./agent-limits.ts";
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
  /** Tools of this session alone: in place of those of the same name, or after all others. */
  #own: readonly Tool[] = [];
  #limits: readonly ToolLimits[] = [];

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
    this.#replace(this.#all(this.#taken), this.isDeferred);
  }

  /**
   * Offers only what all of these include. Returns whether that changes anything. Call when a turn begins; within a turn it breaks the
   * prefix of the requests.
   */
  narrow(limits: readonly ToolLimits[]): boolean {
    if (limits.length === this.#limits.length && limits.every((each, index) => each === this.#limits[index]))
      return false;
    this.#limits = limits;
    this.#replace(this.tools, this.isDeferred);
    return true;
  }

  #replace(tools: readonly Tool[], deferred: boolean): void {
    this.replace(tools, this.#taken.servers, { deferred, limits: this.#limits });
  }

  #all(taken: ToolSet): Tool[] {
    const own = new Map(this.#own.map((tool) => [tool.name, tool]));
    const all = taken.tools.map((tool) => own.get(tool.name) ?? this.#offered(tool));
    return [...all, ...this.#own.filter((tool) => !all.includes(tool))];
  }

  /**
   * Updates to the registry's current tools. undefined: nothing changed. `tooMany`: whether these tools of servers take too much
   * of the context window to be offered whole; once they do, they stay deferred.
   */
  take(tooMany: (tools: readonly Tool[]) => boolean = () => false): ToolChange | undefined {
    const now = this.#registry.snapshot();
    const tools = this.#all(now);
    const fromServers = tools.filter(({ origin }) => origin === "server");
    const deferred = this.isDeferred || tooMany(fromServers);
    if (now === this.#taken && deferred === this.isDeferred) return undefined;
    this.#taken = now;
    const added = namesOf(tools, this.tools);
    const removed = namesOf(this.tools, tools);
    const isSame = added.length + removed.length === 0 && deferred === this.isDeferred;
    this.#replace(tools, deferred);
    return isSame ? undefined : { added, removed };
  }
}

/** Names of the tools that are in `tools` but not in `others`. */
function namesOf(tools: readonly Tool[], others: readonly Tool[]): string[] {
  return tools.filter((tool) => !others.includes(tool)).map(({ name }) => name);
}
