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
  description: "Asks the user one clear question.",
  schema: z.object({
    question: z.string().min(1),
    options: z
      .array(z.string().min(1))
      .max(5)
      .optional()
      .describe("2 to 5 answers. Never offer to switch modes."),
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
  description: "Ends the task once you have all results and the work is done.",
  schema: z.object({
    result: z.string().min(1),
    command: z.string().optional().describe("Shows the result, such as a page."),
  }),
  prepare: async () => noAction,
});

export const planModeRespond = defineTool({
  name: "plan_mode_respond",
  face: { icon: "list-unordered", title: { doing: "Plan" }, row: "plan", shows: { text: "response" } },
  access: "talk",
  turnEnd: "planned",
  modes: ["plan"],
  description: "Plan mode only: answers the user, with the plan once it is ready.",
  schema: z.object({
    response: z.string().min(1),
    needs_more_exploration: z.boolean().optional(),
  }),
  continuation: ({ needs_more_exploration }) =>
    needs_more_exploration === true
      ? "Continue exploring with the reading tools, then present the plan."
      : undefined,
  prepare: async () => noAction,
});
