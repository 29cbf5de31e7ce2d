/** Applies to a project what the user chose about tools, whenever a turn begins. */
import { normalize } from "../../assistant/spelling.ts";
import { DisposableStore } from "../../lifecycle.ts";
import type { EditorTool, EditorTools } from "../../ports/editor-tools.ts";
import type { Log } from "../../ports/system.ts";
import type { ToolRegistry } from "../registry.ts";
import { functionName } from "../servers/server-tools.ts";
import type { ToolLimits } from "../set/agent-limits.ts";
import type { Tool } from "../tool.ts";
import { editorTool, editorToolKey } from "./editor-tool.ts";
import type { ToolRecords } from "./tool-records.ts";

/** Begins the names by which models call tools of other extensions. */
const PREFIX = "ext";

export interface ToolSwitchesDeps {
  records: ToolRecords;
  /** Absent: the host has no tools of other extensions. */
  port?: EditorTools;
  /** The project's tools, to which those of other extensions are added. */
  registry: ToolRegistry;
  log: Log;
}

export class ToolSwitches {
  readonly #deps: ToolSwitchesDeps;
  #added = new DisposableStore();
  #offered = "";
  #off = "";
  #limits: readonly ToolLimits[] = [];

  constructor(deps: ToolSwitchesDeps) {
    this.#deps = deps;
  }

  /**
   * Looks at the choices and at what other extensions offer now. Call only when a turn begins. Returns what the user switched off: the
   * same array until that changes.
   */
  async begin(): Promise<readonly ToolLimits[]> {
    await this.#follow();
    const off = await this.#deps.records.off();
    const now = JSON.stringify(off);
    if (now !== this.#off) {
      this.#off = now;
      this.#limits = off.length === 0 ? [] : [{ denied: off.map((name) => ({ of: "tool", name })) }];
    }
    return this.#limits;
  }

  async #follow(): Promise<void> {
    const { port, records, registry } = this.#deps;
    if (!port) return;
    const choices = await records.editor();
    const offered = port.list().filter((tool) => {
      const choice = choices[editorToolKey(tool)];
      return choice?.on === true && choice.needsChat !== true;
    });
    const now = JSON.stringify(offered);
    // A change of the registry breaks the prefix that the endpoint has cached.
    if (now === this.#offered) return;
    this.#offered = now;
    registry.batch(() => {
      this.#added.dispose();
      this.#added = new DisposableStore();
      for (const tool of this.#tools(offered)) this.#added.add(registry.add(tool));
    });
  }

  /** Each as a tool, with a name that no other tool has. One that cannot be offered is left out and logged. */
  #tools(offered: readonly EditorTool[]): Tool[] {
    const { port, records, registry, log } = this.#deps;
    if (!port) return [];
    const used = new Set(
      registry.tools
        .flatMap(({ name, aliases = [] }) => [name, ...aliases.map((alias) => alias.name)])
        .map(normalize),
    );
    return [...offered]
      .sort((a, b) => (editorToolKey(a) < editorToolKey(b) ? -1 : 1))
      .flatMap((tool) => {
        try {
          return [editorTool(tool, functionName(PREFIX, tool.name, used), { port, records })];
        } catch (error) {
          log.error(`the tool ${tool.name} of ${tool.owner} cannot be offered`, error);
          return [];
        }
      });
  }
}
