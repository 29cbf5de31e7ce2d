/** Tools whose text the person accepts or refuses: what follows a yes is the task's to do. */
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

const contents =
  "what was asked and what was done, decisions and conventions, the files and code that matter, problems solved and open, and the next steps with the exact names they need";

export const newTask = defineTool({
  name: "new_task",
  face: {
    icon: "tools",
    title: { doing: "New task" },
    question: "Start a new task with this context?",
    row: "proposal",
    shows: { text: "context" },
  },
  access: "talk",
  description:
    "Proposes to begin a new task that starts with the context you write and with nothing else of this conversation. The person reads the context and chooses: a yes ends this task, a no goes on with it.",
  schema: z.object({
    context: z.string().min(1).describe(`Everything the new task needs, in Markdown: ${contents}.`),
  }),
  prepare: async ({ context }) =>
    choice("new-task", context, "The person started a new task with this context."),
});

export const condense = defineTool({
  name: "condense",
  face: {
    icon: "tools",
    title: { doing: "Summary" },
    question: "Go on with this summary in place of the conversation so far?",
    row: "proposal",
    shows: { text: "context" },
  },
  access: "talk",
  description:
    "Proposes a summary that takes the place of the conversation so far, to make room. The person reads it and accepts or refuses it. Only when the person asks for it.",
  schema: z.object({
    context: z.string().min(1).describe(`The summary, in Markdown: ${contents}.`),
  }),
  prepare: async ({ context }) =>
    choice("condense", context, "The person accepted the summary. The conversation goes on from it."),
});
