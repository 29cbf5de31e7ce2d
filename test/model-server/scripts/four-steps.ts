import type { Script } from "../server.ts";

/** The file of the task, as it is before. */
export const FOUR_STEPS_FILES = { "a.ts": "export const cats = 1;\nexport const dogs = 2;\n" };
export const FOUR_STEPS_AFTER = FOUR_STEPS_FILES["a.ts"].replace("cats = 1", "cats = 3");

/** The shortest task that does some of everything: it reads a file, edits it, runs a command and answers. */
export function fourSteps(): Script {
  const steps = [
    { tool: "read_file", params: { path: "a.ts" } },
    {
      tool: "replace_in_file",
      params: {
        path: "a.ts",
        diff: "------- SEARCH\nexport const cats = 1;\n=======\nexport const cats = 3;\n+++++++ REPLACE\n",
      },
    },
    { tool: "execute_command", params: { command: "echo checked", requires_approval: false } },
    { tool: "attempt_completion", params: { result: "There are three cats." } },
  ];
  return {
    turns: steps.map((step, index) => ({
      match: { request: index + 1 },
      times: true,
      answer: [{ text: `Step ${index + 1}.` }, step],
    })),
  };
}
