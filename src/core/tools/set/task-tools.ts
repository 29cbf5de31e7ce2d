/** The tools of one session, which do not change during a turn. */
import type { ToolRegistry } from "../registry.ts";
import type { Tool } from "../tool.ts";
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
  #taken: ToolSet;

  constructor(registry: ToolRegistry) {
    const now = registry.snapshot();
    super(now.tools);
    this.#registry = registry;
    this.#taken = now;
  }

  /** Updates to the registry's current tools. undefined: nothing changed. */
  take(): ToolChange | undefined {
    const now = this.#registry.snapshot();
    if (now === this.#taken) return undefined;
    this.#taken = now;
    const added = namesOf(now.tools, this.tools);
    const removed = namesOf(this.tools, now.tools);
    if (added.length + removed.length === 0) return undefined;
    this.replace(now.tools);
    return { added, removed };
  }
}

/** Names of the tools that are in `tools` but not in `others`. */
function namesOf(tools: readonly Tool[], others: readonly Tool[]): string[] {
  return tools.filter((tool) => !others.includes(tool)).map(({ name }) => name);
}
