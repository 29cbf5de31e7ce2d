/** The system prompt: its sections in order, separated by `====` lines, with the documentation of the active tools. */
import {
  automaticTodo,
  capabilities,
  customInstructions,
  editingFiles,
  guidelines,
  mcpServers,
  modes,
  objective,
  type PromptFacts,
  role,
  rules,
  systemInformation,
  taskProgress,
  toolUse,
} from "./sections.ts";

export type { PromptFacts };

export function systemPrompt(facts: PromptFacts): string {
  const sections = [
    `${role()}`,
    `${toolUse(facts)}\n\n${guidelines(facts)}`,
    automaticTodo(),
    mcpServers(facts),
    editingFiles(),
    modes(),
    taskProgress(),
    capabilities(facts),
    rules(facts),
    systemInformation(facts),
    objective(),
    customInstructions(facts),
  ];
  return sections.filter((section) => section !== "").join("\n\n====\n\n");
}
