/**
 * The system prompt: its sections in order, separated by `====` lines, with the documentation of the active tools. Each section
 * has a long and a short form.
 */
import type { PromptFacts } from "./prompt-facts.ts";
import { capabilities } from "./sections/capabilities-section.ts";
import { runningCommands } from "./sections/commands-section.ts";
import { editingFiles } from "./sections/editing-section.ts";
import { modes } from "./sections/modes-section.ts";
import { objective } from "./sections/objective-section.ts";
import { rules } from "./sections/rules-section.ts";
import { mcpServers } from "./sections/servers-section.ts";
import { automaticTodo, taskProgress } from "./sections/todo-sections.ts";
import { guidelines, role, toolUse } from "./sections/tool-use-section.ts";
import { customInstructions, systemInformation } from "./sections/user-sections.ts";

export function systemPrompt(facts: PromptFacts): string {
  const sections = [
    role(facts),
    `${toolUse(facts)}\n\n${guidelines(facts)}`,
    automaticTodo(facts),
    mcpServers(facts),
    editingFiles(facts),
    runningCommands(facts),
    modes(facts),
    taskProgress(facts),
    capabilities(facts),
    rules(facts),
    systemInformation(facts),
    objective(facts),
    customInstructions(facts),
  ];
  return sections.filter((section) => section !== "").join("\n\n====\n\n");
}
