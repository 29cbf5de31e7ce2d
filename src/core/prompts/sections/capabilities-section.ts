import type { PromptFacts } from "../prompt-facts.ts";

export const capabilities = (facts: PromptFacts) =>
  [BASIC_CAPABILITIES, ...facts.abilities.map((text) => `- ${text}`)].join("\n");

const BASIC_CAPABILITIES = `CAPABILITIES

- The first message lists files of the project.
- To change code, read outlines (list_code_definition_names), then files; edit; then search for other places that the change affects.
- Commands run in a terminal that the user sees, and may be interactive. Say in a few words what a command does; prefer one command line to a script.`;
