/** A final answer that must fit a schema of the user: taken when it fits, answered with what is wrong otherwise. */
import { afterEach, describe, expect, it } from "vitest";
import { schemaValidator } from "../../../../src/cli/output/schema-validator.ts";
import { RequiredOutput } from "../../../../src/core/tools/set/required-output.ts";
import type { ScriptPart } from "../../../model-server/server.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";

let agent: Agent;
let output: RequiredOutput;
afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await agent.close();
});

const SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: { issues: { type: "array", items: { $ref: "#/$defs/issue" } } },
  required: ["issues"],
  additionalProperties: false,
  $defs: {
    issue: {
      type: "object",
      properties: { file: { type: "string" }, line: { type: "integer", minimum: 1 } },
      required: ["file", "line"],
    },
  },
};
const GOOD = { issues: [{ file: "a.txt", line: 3 }] };
const BAD = { issues: [{ file: "a.txt", line: 0 }] };
const WRONG = "/issues/0/line must be >= 1";
const done = (value: unknown): ScriptPart => ({
  tool: "attempt_completion",
  params: { result: "Reviewed.", ...(value === undefined ? {} : { output: value as never }) },
});
const lastRequest = () => JSON.stringify(agent.server.requests.at(-1)?.body);

interface Given {
  protocol?: "xml" | "native";
  api?: "chat" | "responses" | "anthropic";
  schema?: Record<string, unknown>;
  mode?: "plan" | "act";
}

/** The answers in order, the last of them for every request after it. */
async function run(
  answers: ScriptPart[][],
  { protocol = "native", api = "chat", schema = SCHEMA, mode = "act" }: Given = {},
): Promise<string | undefined> {
  output = new RequiredOutput({ schema, problem: schemaValidator(schema) });
  agent = await startAgent({
    ...{ protocol, api, output, files: { "a.txt": "meow\n" }, approval: { read: true } },
    script: {
      turns: answers.map((answer, index) => ({
        answer,
        ...(index === answers.length - 1 ? { times: true as const } : {}),
      })),
    },
  });
  await agent.view.active.setMode(mode);
  await agent.view.send("review it");
  return (await agent.view.active.idle)?.type;
}

const errors = () => agent.events.flatMap((event) => (event.type === "error" ? [event.error] : []));

describe.each(["native", "xml"] as const)("under %s", (protocol) => {
  const text = (value: unknown) => (protocol === "xml" ? JSON.stringify(value) : value);

  it("a fitting answer ends the task, and its words are the answer for people", async () => {
    expect(await run([[done(text(GOOD))]], { protocol })).toBe("completed");
    expect(output.value).toEqual({ json: GOOD });
    expect(agent.server.requests).toHaveLength(1);
    expect(agent.calls().at(-1)).toMatchObject({ tool: "attempt_completion", text: "Reviewed." });
    // The model has the schema.
    expect(lastRequest()).toMatch(
      protocol === "xml" ? /#\/\$defs\/issue/ : /#\/properties\/output\/\$defs\/issue/,
    );
  });

  it("what does not fit is answered with what and where, and the next answer counts", async () => {
    expect(await run([[done(text(BAD))], [done(undefined)], [done(text(GOOD))]], { protocol })).toBe(
      "completed",
    );
    expect(output.value).toEqual({ json: GOOD });
    const sent = lastRequest();
    expect(sent).toContain(WRONG);
    expect(sent).toContain("the parameter output is missing");
    expect(agent.calls().map(({ state }) => state)).toEqual(["failed", "failed", "done"]);
  });

  it("the third that does not fit ends the run with an error, whatever differs", async () => {
    const answers = [BAD, { issues: "none" }, { issue: [] }].map((value) => [done(text(value))]);
    expect(await run(answers, { protocol })).toBe("failed");
    expect(output.value).toBeUndefined();
    expect(agent.server.requests).toHaveLength(3);
    expect(errors()).toEqual([
      {
        code: "misfit-output",
        detail: expect.stringContaining('must NOT have additional properties: "issue"'),
      },
    ]);
  });

  it("the same three times is the same error, not a limit", async () => {
    expect(await run([[done(text(BAD))]], { protocol })).toBe("failed");
    expect(errors()).toEqual([{ code: "misfit-output", detail: WRONG }]);
  });

  it("in plan mode the plan has it; a call that only goes on needs none", async () => {
    const plan = (params: Record<string, unknown>): ScriptPart => ({
      tool: "plan_mode_respond",
      params: params as never,
    });
    const answers = [
      [plan({ response: "More.", needs_more_exploration: true })],
      [plan({ response: "The plan." })],
      [plan({ response: "The plan.", output: text(GOOD) })],
    ];
    expect(await run(answers, { protocol, mode: "plan" })).toBe("planned");
    expect(output.value).toEqual({ json: GOOD });
    expect(agent.server.requests).toHaveLength(3);
  });
});

describe("a reply without a call", () => {
  it.each([
    ["JSON alone", JSON.stringify(GOOD)],
    ["JSON in a fence", `\`\`\`json\n${JSON.stringify(GOOD)}\n\`\`\``],
  ])("of %s is the final answer", async (_, text) => {
    expect(await run([[{ text }]])).toBe("replied");
    expect(output.value).toEqual({ json: GOOD });
  });

  it("is what was said, without the reasoning before it", async () => {
    const answer = [{ reasoning: "Line 3, then." }, { text: JSON.stringify(GOOD) }];
    expect(await run([answer])).toBe("replied");
    expect(output.value).toEqual({ json: GOOD });
    expect(agent.server.requests).toHaveLength(1);
  });

  it("of words, or of another value, is answered", async () => {
    expect(await run([[{ text: "I see no issues." }], [{ text: JSON.stringify(BAD) }], [done(GOOD)]])).toBe(
      "completed",
    );
    expect(lastRequest()).toContain("the reply is not JSON");
    expect(lastRequest()).toContain(WRONG);
    await agent.close();
    expect(await run([[{ text: "I see no issues." }]])).toBe("failed");
    expect(errors()).toEqual([{ code: "misfit-output", detail: "the reply is not JSON" }]);
  });
});

it.each(["responses", "anthropic"] as const)("the API %s takes the schema of a call as well", async (api) => {
  expect(await run([[done(BAD)], [done(GOOD)]], { api })).toBe("completed");
  expect(output.value).toEqual({ json: GOOD });
  expect(lastRequest()).toContain(WRONG);
});

it("a question ends the turn as always", async () => {
  expect(await run([[{ tool: "ask_followup_question", params: { question: "Which?" } }]])).toBe("asked");
});

it.each([
  ["a text", { type: "string" }, "fine", "fine"],
  ["a text in quotes", { type: "string" }, '"fine"', "fine"],
  ["a number as text", { type: "number" }, "3", 3],
  ["a text that looks like a number", { type: "string" }, "3", "3"],
  ["a list", { type: "array", items: { enum: ["a", "b"] } }, ["a"], ["a"]],
  ["null", { type: "null" }, null, null],
  ["JSON as the words for people", SCHEMA, undefined, GOOD],
])("%s", async (_, schema, value, json) => {
  const params = value === undefined ? { result: JSON.stringify(GOOD) } : { result: "Done.", output: value };
  expect(await run([[{ tool: "attempt_completion", params: params as never }]], { schema })).toBe(
    "completed",
  );
  expect(output.value).toEqual({ json });
});
