/** The tools that are on: our own, and those that join and leave while sessions run. */
import { normalise } from "../assistant/spelling.ts";
import { type Disposable, Emitter } from "../lifecycle.ts";
import { applyPatch } from "./apply-patch.ts";
import { condense, newTask } from "./choices.ts";
import { deleteFile } from "./delete-file.ts";
import { executeCommand } from "./execute-command.ts";
import { listCodeDefinitionNames } from "./list-code-definition-names.ts";
import { listFiles } from "./list-files.ts";
import { newRule } from "./new-rule.ts";
import { readFile } from "./read-file.ts";
import { readTerminal } from "./read-terminal.ts";
import { replaceInFile } from "./replace-in-file.ts";
import { searchFiles } from "./search-files.ts";
import { ToolSet } from "./set/tool-set.ts";
import { askFollowupQuestion, attemptCompletion, planModeRespond } from "./talk.ts";
import type { OldResult, Tool } from "./tool.ts";
import { writeToFile } from "./write-to-file.ts";

/** In the order in which the prompt documents them. */
export const defaultTools: readonly Tool[] = [
  executeCommand,
  readTerminal,
  readFile,
  writeToFile,
  replaceInFile,
  applyPatch,
  deleteFile,
  searchFiles,
  listFiles,
  listCodeDefinitionNames,
  askFollowupQuestion,
  attemptCompletion,
  newTask,
  condense,
  newRule,
  planModeRespond,
];

/** What every endpoint takes as the name of a function. */
const namePattern = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

export class ToolRegistry extends ToolSet {
  readonly #own: readonly Tool[];
  readonly #added = new Map<string, Tool>();
  readonly #changed = new Emitter<void>();
  #snapshot: ToolSet | undefined;

  /** A tool was added or removed. */
  readonly onChange = this.#changed.on;

  constructor(own: readonly Tool[] = defaultTools) {
    super(own);
    this.#own = own;
  }

  /** What it holds now, for good; the same object until a tool is added or removed. */
  snapshot(): ToolSet {
    this.#snapshot ??= new ToolSet(this.tools);
    return this.#snapshot;
  }

  /**
   * Until it is disposed the tool is there, after our own and among the other added ones by its name: the order does not
   * depend on who came first. Throws for a name that no endpoint takes, or that means another tool already in whatever
   * spelling; whoever adds tools of somebody else's puts the owner's name before theirs.
   */
  add(tool: Tool): Disposable {
    if (!namePattern.test(tool.name)) {
      throw new Error(
        `${JSON.stringify(tool.name)} cannot be the name of a tool: letters, digits, _ and - alone`,
      );
    }
    const taken = this.#meaning(tool.name);
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

  #meaning(name: string): string | undefined {
    const plain = normalise(name);
    return this.tools.find((tool) =>
      [tool.name, ...(tool.aliases ?? []).map((alias) => alias.name)].some(
        (each) => normalise(each) === plain,
      ),
    )?.name;
  }

  #update(): void {
    const added = [...this.#added.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    this.replace([...this.#own, ...added]);
    this.#snapshot = undefined;
    this.#changed.emit();
  }
}

const oldResults = new Map(defaultTools.map(({ name, oldResult = {} }) => [name, oldResult]));

/**
 * How old results of the tool of that name are shortened. Only our own tools have a way of their own: what requests leave
 * out must not depend on which others are there.
 */
export function oldResultOf(name: string): OldResult {
  return oldResults.get(name) ?? {};
}
