/** Starts another task, whose report is the result. */
import * as z from "zod";
import { ToolError } from "../../errors.ts";
import { defineTool } from "../tool.ts";

const MAX_TITLE = 80;

export const startTask = defineTool({
  name: "start_task",
  presentation: {
    icon: "list-unordered",
    title: { doing: "Task", running: "Task", done: "Task" },
    row: "tool",
    work: "task",
    question: "Apply the changes of this subtask?",
    approve: "Apply",
  },
  access: "talk",
  description:
    "Starts a task that knows only its description; returns its report. Several calls in one message run side by side. Only for independent parts of large work.",
  guide: {
    description:
      "Starts another task, which knows only its description, and returns its report. Use it for large, independent parts of the work, and do small things yourself. Several calls in one message run side by side.",
    params: {
      description: "The goal, the relevant files and what to report. The first line is the title.",
      kind: "explore can only read. work can also edit, in a git worktree of its own; the user decides whether its changes are applied.",
      model: "connection/id. Default: the model of this task.",
      tools: "Names of its tools. Default: all that its kind allows.",
    },
  },
  schema: z.object({
    description: z.string().min(1).describe("The goal, files and what to report; first line: a title."),
    kind: z
      .enum(["explore", "work"])
      .describe("explore can only read; work edits in its own git worktree, for the user to approve."),
    model: z.string().optional().describe("connection/id"),
    tools: z.array(z.string()).optional().describe("Default: all."),
  }),
  subject: ({ description }) =>
    typeof description === "string" ? (description.trim().split("\n", 1)[0] ?? "").slice(0, MAX_TITLE) : "",
  sideBySide: true,
  resumes: true,
  async prepare(wanted, { children }) {
    if (!children) throw new ToolError("A task that another task started cannot start tasks.");
    await children.check(wanted);
    return { paths: [], view: {}, run: (context) => children.run(wanted, context) };
  },
});
