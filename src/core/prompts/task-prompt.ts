/** The system prompt of a task: made once for each protocol and kept, so that the prompt's prefix stays the same. */
import type { Settings } from "../../shared/settings.ts";
import type { Host } from "../ports/host.ts";
import type { Protocol } from "../provider/provider.ts";
import type { ToolSet } from "../tools/set/tool-set.ts";
import { systemPrompt } from "./system-prompt.ts";

export interface TaskPromptDeps {
  host: Pick<Host, "workspace" | "system" | "shell" | "surroundings">;
  settings(): Settings;
  registry: Pick<ToolSet, "documentation">;
  conversation: { readonly id: string };
  /** They are read after the first message is said, and the same from then on. */
  rules(): string;
}

export class TaskPrompt {
  readonly #deps: TaskPromptDeps;
  #made: { key: string; text: string } | undefined;

  constructor(deps: TaskPromptDeps) {
    this.#deps = deps;
  }

  text(protocol: Protocol): string {
    const { host, registry, settings, conversation } = this.#deps;
    const { customInstructions, preferredLanguage } = settings();
    const rules = this.#deps.rules();
    const documentation = protocol === "xml" ? registry.documentation() : "";
    const key = JSON.stringify([
      ...[protocol, customInstructions, preferredLanguage, conversation.id, rules],
      // It changes where a turn begins, and tools joined or left before.
      documentation,
    ]);
    if (this.#made?.key === key) return this.#made.text;
    const text = systemPrompt({
      protocol,
      documentation,
      root: host.workspace.root ?? "(no folder is open)",
      os: host.system.os,
      shell: host.shell.path,
      home: host.system.home,
      hostName: host.surroundings.hostName,
      customInstructions,
      preferredLanguage,
      rules,
    });
    this.#made = { key, text };
    return text;
  }
}
