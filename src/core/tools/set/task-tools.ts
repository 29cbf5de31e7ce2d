/** The tools of one session, which stand still while a turn runs. */
import type { ToolRegistry } from "../registry.ts";
import type { Tool } from "../tool.ts";
import { ToolSet } from "./tool-set.ts";

/** Names of tools; one whose definition changed is in both lists. */
export interface ToolChange {
  added: string[];
  removed: string[];
}

/**
 * Tools are part of the prompt, and each request begins as the one before it. What joins or leaves the registry is
 * therefore taken when a turn begins and at no other moment: a break of the prefix, and `take` says that it is one. A
 * call of a tool that has left meanwhile still reaches the tool, which answers for itself.
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

  /** From now on the tools are those of the registry. undefined: they were already. */
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

/** Those of `tools` that are not in `others`. */
function namesOf(tools: readonly Tool[], others: readonly Tool[]): string[] {
  return tools.filter((tool) => !others.includes(tool)).map(({ name }) => name);
}
