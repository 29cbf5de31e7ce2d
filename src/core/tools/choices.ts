/** Tools whose text the user accepts or rejects. After acceptance, the task does what `follow` says. */
import * as z from "../../shared/zod.ts";
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
  "what was asked and done, decisions, files and code that matter, problems, and the next steps with exact names";

export const newTask = defineTool({
  name: "new_task",
  presentation: {
    icon: "tools",
    title: { doing: "New task" },
    question: "Start a new task with this context?",
    approve: "Start task",
    row: "proposal",
    shows: { text: "context" },
  },
  access: "talk",
  description:
    "Hands the work to a new task that knows only this context, if the user agrees. Only on request, or for separate work.",
  guide: {
    description:
      "Proposes a new task that knows only the context which you write. The user sees it and decides. Use it when the user asks for one, or when the work is done and what follows is a separate task.",
    params: {
      context: `Markdown: ${CONTENTS}. Quote the user's latest request word for word.`,
    },
  },
  schema: z.object({
    context: z.string().check(z.minLength(1), z.describe(`Markdown: ${CONTENTS}.`)),
  }),
  prepare: async ({ context }) =>
    choice("new-task", context, "The user started a new task with this context."),
});

export const condense = defineTool({
  name: "condense",
  presentation: {
    icon: "tools",
    title: { doing: "Summary" },
    question: "Replace the conversation so far with this summary?",
    approve: "Replace",
    row: "proposal",
    shows: { text: "context" },
  },
  access: "talk",
  description: "Proposes a summary in place of the conversation so far. Only on request.",
  guide: {
    description:
      "Proposes a summary that replaces the conversation so far; the user decides. Use it only when the user asks for it.",
    params: {
      context: `The summary: ${CONTENTS}.`,
    },
  },
  schema: z.object({
    context: z.string().check(z.minLength(1), z.describe("As for new_task.")),
  }),
  prepare: async ({ context }) =>
    choice("condense", context, "The user accepted the summary. The conversation continues from it."),
});
