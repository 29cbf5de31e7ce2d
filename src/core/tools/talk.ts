/** Tools that end the turn: the user's next message is their result. */
import * as z from "zod";
import { COMMAND_NAMES } from "./shared-names.ts";
import { defineTool, type Invocation, textOutput } from "./tool.ts";

/** Running such a call does nothing; the loop stops and waits for the user. */
const noAction: Invocation = { paths: [], view: {}, run: async () => textOutput("") };

export const askFollowupQuestion = defineTool({
  name: "ask_followup_question",
  face: {
    icon: "question",
    title: { doing: "Question" },
    row: "question",
    shows: { text: "question", options: "options" },
  },
  access: "talk",
  turnEnd: "asked",
  description:
    "Asks the user for something you need to know and cannot find out with the other tools. One clear question.",
  schema: z.object({
    question: z.string().min(1).describe("The question."),
    options: z
      .array(z.string().min(1))
      .max(5)
      .optional()
      .describe('2 to 5 possible answers, as a JSON array: ["One", "Two"]. Do not offer switching modes.'),
  }),
  subjectParam: "question",
  prepare: async () => noAction,
});

export const attemptCompletion = defineTool({
  name: "attempt_completion",
  paramNames: { command: COMMAND_NAMES },
  face: {
    icon: "check",
    title: { doing: "Done" },
    row: "result",
    shows: { text: "result", command: "command" },
  },
  access: "talk",
  turnEnd: "completed",
  modes: ["act"],
  description:
    "Ends the task by presenting its result. Use it only when you have the results of all earlier calls and the work is done.",
  schema: z.object({
    result: z
      .string()
      .min(1)
      .describe("What was done and the outcome. It is final: no question or offer at its end."),
    command: z
      .string()
      .optional()
      .describe(
        "A command that shows the result, such as opening the page. It is proposed to the user, not run.",
      ),
  }),
  prepare: async () => noAction,
});

export const planModeRespond = defineTool({
  name: "plan_mode_respond",
  face: { icon: "list-unordered", title: { doing: "Plan" }, row: "plan", shows: { text: "response" } },
  access: "talk",
  turnEnd: "planned",
  modes: ["plan"],
  description:
    "Answers the user in plan mode: with the plan, once you have read what it depends on. Only in plan mode.",
  schema: z.object({
    response: z.string().min(1).describe("The answer, in Markdown."),
    needs_more_exploration: z
      .boolean()
      .optional()
      .describe("true if you found that you must read more files first; you then continue reading."),
  }),
  continuation: ({ needs_more_exploration }) =>
    needs_more_exploration === true
      ? "Continue exploring with the reading tools, then present the plan."
      : undefined,
  prepare: async () => noAction,
});
