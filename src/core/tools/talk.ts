/** Tools that end the turn: the user's next message is their result. */
import * as z from "../../shared/zod.ts";
import { COMMAND_NAMES, defineTool, type Invocation, textOutput } from "./tool.ts";

/** Running such a call does nothing; the loop stops and waits for the user. */
const noAction: Invocation = { paths: [], view: {}, run: async () => textOutput("") };

export const askFollowupQuestion = defineTool({
  name: "ask_followup_question",
  presentation: {
    icon: "question",
    title: { doing: "Question" },
    row: "question",
    shows: { text: "question", options: "options" },
  },
  access: "talk",
  turnEnd: "asked",
  description: "Asks the user one clear question.",
  guide: {
    description:
      "Asks the user one question; the next message has the answer. Use it only for what you can neither find out nor decide.",
    params: {
      question: "One clear and specific question.",
      options: "2 to 5 possible answers. The user picks one or writes another. Never offer to switch modes.",
    },
  },
  schema: z.object({
    question: z.string().check(z.minLength(1), z.describe("The question.")),
    options: z
      .optional(z.array(z.string().check(z.minLength(1))).check(z.maxLength(5)))
      .check(z.describe("2 to 5 answers to pick from. Never offer to switch modes.")),
  }),
  subjectParam: "question",
  prepare: async () => noAction,
});

export const attemptCompletion = defineTool({
  name: "attempt_completion",
  paramNames: { command: COMMAND_NAMES },
  presentation: {
    icon: "check",
    title: { doing: "Done" },
    row: "result",
    shows: { text: "result", command: "command" },
  },
  access: "talk",
  turnEnd: "completed",
  afterFailure:
    "Not run: another call in the same message failed, and you wrote this before you had its result. Look at that result, finish the work, then complete the task.",
  modes: ["act"],
  description: "Ends the task once the work is done and checked, or you cannot go on: then say what failed.",
  guide: {
    description:
      "Presents the result and ends the task. Use it once the results show that the work is done, or when you cannot go on: then say what failed.",
    params: {
      result:
        "What you did and how you checked it, in Markdown. It is final: do not end it with a question or an offer.",
      command:
        "A command that shows the result, such as one that opens a page; not one that only prints text. It runs if the user approves.",
    },
  },
  schema: z.object({
    result: z.string().check(z.minLength(1), z.describe("What was done and checked, in Markdown.")),
    command: z
      .optional(z.string())
      .check(z.describe("A shell command that shows the result, such as one that opens a page.")),
  }),
  prepare: async () => noAction,
});

export const planModeRespond = defineTool({
  name: "plan_mode_respond",
  presentation: {
    icon: "list-unordered",
    title: { doing: "Plan" },
    row: "plan",
    shows: { text: "response" },
  },
  access: "talk",
  turnEnd: "planned",
  modes: ["plan"],
  description: "Plan mode only: answers the user, with the plan once it is ready.",
  guide: {
    description:
      "For PLAN MODE only: answers the user, or presents the plan once you have read what it depends on. Do not use it to announce what you are going to read: read it.",
    params: {
      response: "The answer or the plan, in Markdown.",
      needs_more_exploration:
        "true if this is an interim answer and you will read more: your turn then continues. Default: false.",
    },
  },
  schema: z.object({
    response: z.string().check(z.minLength(1), z.describe("Markdown.")),
    needs_more_exploration: z
      .optional(z.boolean())
      .check(z.describe("true if you go on reading after this; normally left out.")),
  }),
  continuation: ({ needs_more_exploration }) =>
    needs_more_exploration === true
      ? "Continue exploring with the reading tools, then present the plan."
      : undefined,
  prepare: async () => noAction,
});
