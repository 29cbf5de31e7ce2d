/** Tools that end the turn: what the person says next is their result. */
import * as z from "zod";
import { commandNames } from "./shared-names.ts";
import { defineTool, type Invocation, textOutput } from "./tool.ts";

/** Nothing happens when such a call runs; the loop stops and waits for the person. */
const said: Invocation = { paths: [], view: {}, run: async () => textOutput("") };

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
    "Asks the person something that you need to know and cannot find out with the other tools. One clear question.",
  schema: z.object({
    question: z.string().min(1).describe("The question."),
    options: z
      .array(z.string().min(1))
      .max(5)
      .optional()
      .describe(
        '2 to 5 possible answers to choose from, as a JSON array: ["One", "Two"]. Switching modes is not one.',
      ),
  }),
  subjectParam: "question",
  prepare: async () => said,
});

export const attemptCompletion = defineTool({
  name: "attempt_completion",
  paramNames: { command: commandNames },
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
    "Ends the task by presenting its result. Only after the results of all earlier calls have come back and the work is done.",
  schema: z.object({
    result: z
      .string()
      .min(1)
      .describe("What was done and what came of it, final: no question, no offer at its end."),
    command: z
      .string()
      .optional()
      .describe(
        "A command that shows the result, such as opening the page. Proposed to the person, not run by itself.",
      ),
  }),
  prepare: async () => said,
});

export const planModeRespond = defineTool({
  name: "plan_mode_respond",
  face: { icon: "list-unordered", title: { doing: "Plan" }, row: "plan", shows: { text: "response" } },
  access: "talk",
  turnEnd: "planned",
  modes: ["plan"],
  description:
    "Answers the person in plan mode: with the plan, once you have read what it rests on. Only in plan mode.",
  schema: z.object({
    response: z.string().min(1).describe("The answer, in Markdown."),
    needs_more_exploration: z
      .boolean()
      .optional()
      .describe(
        "true when writing it you saw that you must look at more files first; you then go on reading.",
      ),
  }),
  prepare: async () => said,
});
