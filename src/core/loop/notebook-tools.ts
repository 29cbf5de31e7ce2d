/**
 * Offers the tools that work on cells only to tasks with a notebook: they would cost every other request about 390 tokens.
 *
 * Whether there is one is decided when a turn begins, by what the model was told so far: the files of the workspace and the tabs that the
 * first message lists, mentions, the user's words, and earlier calls and results. Within a turn only a notebook that a call read or wrote
 * counts, because offering a tool then breaks the prefix of the requests, which endpoints cache. A task that has the tools keeps them, so
 * that happens once. A call of a tool that is not offered still runs.
 */
import type { Block, Message } from "../../shared/message.ts";
import { editNotebook } from "../tools/edit-notebook.ts";
import { runCell } from "../tools/run-cell.ts";
import type { ToolLimits } from "../tools/set/agent-limits.ts";

/** Not `.ipynb_checkpoints`, which nearly every list of ignored files has. */
const NOTEBOOK = /\.ipynb(?![\w-])/i;

const WITHOUT_CELLS: readonly ToolLimits[] = [
  { denied: [editNotebook, runCell].map(({ name }) => ({ of: "tool", name })) },
];
const NO_LIMITS: readonly ToolLimits[] = [];

export class NotebookTools {
  #isOffered = false;
  #read: readonly Message[] = [];

  /** What narrows the offered tools. */
  get limits(): readonly ToolLimits[] {
    return this.#isOffered ? NO_LIMITS : WITHOUT_CELLS;
  }

  /** Call when a turn begins, with the whole conversation. */
  begin(messages: readonly Message[]): void {
    if (this.#isOffered) return;
    const known = new Set(this.#read);
    this.#read = [...messages];
    this.#isOffered = messages.some((message) => !known.has(message) && message.blocks.some(namesNotebook));
  }

  /** Call before each further request, with the paths of the files that calls of the task used. Returns whether `limits` changed. */
  used(paths: Iterable<string>): boolean {
    if (this.#isOffered) return false;
    for (const path of paths) {
      if (!NOTEBOOK.test(path)) continue;
      this.#isOffered = true;
      return true;
    }
    return false;
  }
}

function namesNotebook(block: Block): boolean {
  if (block.type === "text") return NOTEBOOK.test(block.text);
  if (block.type === "tool-call") return NOTEBOOK.test(JSON.stringify(block.params));
  if (block.type !== "tool-result") return false;
  return block.parts.some((part) => part.type === "text" && NOTEBOOK.test(part.text));
}
