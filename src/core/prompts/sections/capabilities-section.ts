import type { PromptFacts } from "../prompt-facts.ts";

export function capabilities({ wording, abilities }: PromptFacts): string {
  if (wording === "full") return CAPABILITIES;
  return [IN_SHORT, ...abilities.map((text) => `- ${text}`)].join("\n");
}

/** The tools' own texts say the rest. */
const CAPABILITIES = `CAPABILITIES

- The first message of a task lists files of the project, which shows how it is organized.
- To understand code, go from the large to the small: the list of files, outlines of the files that matter, then the files themselves. A search finds where a name is defined and used.
- To change code, read what you change and what depends on it, edit it, and then search for callers, tests and documentation that the change affects.`;

const IN_SHORT = `CAPABILITIES

- The first message lists files of the project.
- To change code, read outlines (list_code_definition_names), then files; edit; then search for other places that the change affects.
- Commands run in a terminal that the user sees, and may be interactive. Say in a few words what a command does; prefer one command line to a script.`;
