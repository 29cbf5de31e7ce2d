import type { PromptFacts } from "../prompt-facts.ts";

export function capabilities({ wording, abilities, offered }: PromptFacts): string {
  if (wording === "full") return CAPABILITIES;
  const commands = offered.has("execute_command") ? [COMMANDS] : [];
  return [IN_SHORT, ...[...commands, ...abilities].map((text) => `- ${text}`)].join("\n");
}

/** The tools' own texts say the rest. */
const CAPABILITIES = `CAPABILITIES

- The first message of a task lists files of the project.
- To understand code, go from the large to the small: the list of files, outlines of the files that matter, then the files themselves.
- To change code, read what you change and what depends on it, edit it, and then search for callers, tests and documentation that the change affects.`;

const IN_SHORT = `CAPABILITIES

- The first message lists files of the project.
- To change code, read outlines (list_code_definition_names), then files; edit; then search for other places that the change affects.`;

const COMMANDS =
  "Say in a few words what a command does, then run it. You cannot type into it: choose options that need no answer.";
