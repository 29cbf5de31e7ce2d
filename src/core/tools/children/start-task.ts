/** Starts another task, whose report is the result. */
import type { KnownSkill } from "../../../shared/message.ts";
import * as z from "../../../shared/zod.ts";
import { isRecord } from "../../assistant/record.ts";
import { ToolError } from "../../errors.ts";
import { boundedLine } from "../../servers/server-text.ts";
import { defineTool, type Invocation, type Tool, type ToolContext, type WantedChild } from "../tool.ts";

const MAX_TITLE = 80;
/** Agents that the tool lists, and characters of their descriptions. */
const MOST_AGENTS = 30;
const MOST_DESCRIPTION = 200;

const SCHEMA = z.object({
  description: z
    .string()
    .check(z.minLength(1), z.describe("The goal, files and what to report; first line: a title.")),
  kind: z
    .enum(["explore", "work"])
    .check(z.describe("explore can only read; work edits in its own git worktree, for the user to approve.")),
  model: z.optional(z.string()).check(z.describe("connection/id")),
  tools: z.optional(z.array(z.string())).check(z.describe("Default: all.")),
});

const SPEC = {
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
  subject: ({ description }: Readonly<Record<string, unknown>>) =>
    typeof description === "string" ? (description.trim().split("\n", 1)[0] ?? "").slice(0, MAX_TITLE) : "",
  sideBySide: true,
  reaches: "subtasks",
  resumes: true,
  async prepare(wanted: WantedChild, { children }: ToolContext): Promise<Invocation> {
    if (!children) throw new ToolError("A task that another task started cannot start tasks.");
    await children.check(wanted);
    return { paths: [], view: {}, run: (context) => children.run(wanted, context) };
  },
} as const;

export const startTask = defineTool({ ...SPEC, schema: SCHEMA });

/** The tool with the agents that a subtask can have. Without agents, it does not mention them. */
export class ListedAgents {
  #known: readonly KnownSkill[] = [];
  #tools: readonly Tool[] = [];

  /** The same tool as before for the same agents; none without agents. */
  tools(known: readonly KnownSkill[]): readonly Tool[] {
    if (known !== this.#known) {
      this.#known = known;
      this.#tools = known.length === 0 ? [] : [withAgents(known.slice(0, MOST_AGENTS))];
    }
    return this.#tools;
  }
}

function withAgents(known: readonly KnownSkill[]): Tool {
  const lines = known.map(
    ({ name, description }) => `- ${name}: ${boundedLine(description, MOST_DESCRIPTION)}`,
  );
  const { guide, ...spec } = SPEC;
  const tool = defineTool({
    ...spec,
    guide: {
      ...guide,
      params: {
        ...guide.params,
        agent: `An agent of the user or the project, if its description fits the task: the task then has its instructions, and only its tools. Agents:\n${lines.join("\n")}`,
      },
    },
    schema: z.extend(SCHEMA, {
      agent: z.optional(z.string()).check(z.describe("The task's agent; default: none.")),
    }),
  });
  const { schema } = tool.input;
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const agent = isRecord(properties.agent) ? properties.agent : {};
  // Not checked here: one that does not exist is refused with the names of those that do.
  const listed = { ...agent, enum: known.map(({ name }) => name) };
  return {
    ...tool,
    input: { ...tool.input, schema: { ...schema, properties: { ...properties, agent: listed } } },
  };
}
