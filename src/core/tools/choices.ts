/** Tools whose text the user accepts or rejects. After acceptance, the task does what `follow` says. */
import * as z from "zod";
import { defineTool, type Invocation, type ToolOutput } from "./tool.ts";

function choice(type: "new-task" | "condense", text: string, done: string): Invocation {
  return {
    paths: [],
    alwaysAsks: true,
    view: { text },
    async run(): Promise<ToolOutput> {
      return { parts: [{ type: "text", text: done }], follow: { type, text } };
    },
  };
}

const CONTENTS =
  "what was asked and what was done, decisions and conventions, the files and code that matter, problems solved and open, and the next steps with the exact names they need";

export const newTask = defineTool({
  name: "new_task",
  face: {
    icon: "tools",
    title: { doing: "New task" },
    question: "Start a new task with this context?",
    approve: "Start task",
    row: "proposal",
    shows: { text: "context" },
  },
  access: "talk",
  description:
    "Proposes a new task that starts with the context you write and nothing else of this conversation. The user reads the context and decides: yes ends this task, no continues it.",
  schema: z.object({
    context: z.string().min(1).describe(`Everything the new task needs, in Markdown: ${CONTENTS}.`),
  }),
  prepare: async ({ context }) =>
    choice("new-task", context, "The user started a new task with this context."),
});

export const condense = defineTool({
  name: "condense",
  face: {
    icon: "tools",
    title: { doing: "Summary" },
    question: "Replace the conversation so far with this summary?",
    approve: "Replace",
    row: "proposal",
    shows: { text: "context" },
  },
  access: "talk",
  description:
    "Proposes a summary that replaces the conversation so far, to free context. The user reads it and accepts or rejects it. Use it only when the user asks for it.",
  schema: z.object({
    context: z.string().min(1).describe(`The summary, in Markdown: ${CONTENTS}.`),
  }),
  prepare: async ({ context }) =>
    choice("condense", context, "The user accepted the summary. The conversation continues from it."),
});
