/**
 * One conversation over two APIs, for every ordered pair of them: with images, reasoning that the endpoints sign, answers
 * that are cut off, and changes of the model while a result is open. Each endpoint refuses what it did not issue itself.
 */
import { afterEach, describe, expect, it } from "vitest";
import { ToolRegistry } from "../../../../src/core/tools/registry.ts";
import { defineForeignTool } from "../../../../src/core/tools/tool.ts";
import { type Message, toolCalls } from "../../../../src/shared/message.ts";
import type { EndpointApi } from "../../../../src/shared/models/connection.ts";
import {
  type ModelServer,
  type Script,
  type ScriptPart,
  startModelServer,
} from "../../../model-server/server.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";
import { sampled } from "../../../support/random.ts";

interface Speaker {
  name: string;
  api: EndpointApi;
  model: string;
  script?: Partial<Script>;
  /** Signs reasoning, so that it has something to send back. */
  signs: boolean;
  /** The only refusal that is expected: the first, from which the endpoint's needs are learned. */
  teaches?: RegExp;
}

const SPEAKERS: readonly Speaker[] = [
  { name: "chat completions", api: "chat", model: "gpt-4.1", signs: false },
  {
    name: "Gemini's chat completions",
    ...{ api: "chat", model: "gemini-3-pro", signs: true },
    script: { thoughtSignatures: true },
    teaches: /missing a thought_signature/,
  },
  { name: "Responses", api: "responses", model: "gpt-5", signs: true },
  { name: "Messages, with a budget", api: "anthropic", model: "claude-sonnet-4-5", signs: true },
  { name: "Messages, adaptive", api: "anthropic", model: "claude-opus-5", signs: true },
];
const PAIRS = SPEAKERS.flatMap((one) => SPEAKERS.map((other) => ({ one, other })));

const PICTURE = { mimeType: "image/png", data: "iVBORw0KGgoAAAANSUhEUg==" };

/** A tool whose result is a picture and words. */
function registry(): ToolRegistry {
  const tools = new ToolRegistry();
  tools.add(
    defineForeignTool({
      name: "look",
      presentation: { icon: "globe", title: { doing: "Looking" }, row: "tool" },
      access: "read",
      description: "Looks.",
      schema: { type: "object", properties: {} },
      prepare: async () => ({
        paths: [],
        view: {},
        run: async () => ({
          parts: [
            { type: "text" as const, text: "Seen:" },
            { type: "image" as const, ...PICTURE },
          ],
        }),
      }),
    }),
  );
  return tools;
}

let agent: Agent;
let second: ModelServer;
afterEach(async () => {
  await agent.close();
  await second.close();
});

const read = (path: string): ScriptPart => ({ tool: "read_file", params: { path } });
const look: ScriptPart = { tool: "look", params: {} };

/** What one of the two says, in this order; holds are where the other takes over. */
function script({ script: more = {} }: Speaker, protocol: "native" | "xml", turns: Script["turns"]): Script {
  const cut: ScriptPart =
    protocol === "native"
      ? { nativeTool: { name: "read_file", arguments: '{"path":"a.t' } }
      : { xml: "<read_file>\n<path>a.t" };
  const whole = turns.map((turn) =>
    turn.finishReason === "length" ? { ...turn, answer: [...(turn.answer ?? []), cut] } : turn,
  );
  return { ...more, scope: "server", turns: whole };
}

async function start(one: Speaker, other: Speaker, protocol: "native" | "xml"): Promise<void> {
  second = await startModelServer({
    script: script(other, protocol, [
      { name: "B1", answer: [{ reasoning: "B one." }, { text: "I am B." }, read("b.txt")] },
      { name: "B2", answer: [{ reasoning: "B two." }], finishReason: "length" },
      { name: "B3", answer: [{ reasoning: "B three." }, { hold: "to one" }, look] },
    ]),
  });
  agent = await startAgent({
    script: script(one, protocol, [
      {
        name: "A1",
        answer: [{ reasoning: "A one." }, { text: "I look." }, look, { hold: "to other" }, read("a.txt")],
      },
      { name: "A2", answer: [{ reasoning: "A two." }, read("a.txt")] },
      { name: "A3", answer: [{ reasoning: "A three." }, { text: "That is all." }] },
      { name: "A4", answer: [{ reasoning: "A four." }, { text: "More?" }] },
      { name: "A5", answer: [{ reasoning: "A five." }, { text: "No." }] },
    ]),
    registry: registry(),
    protocol,
    files: { "a.txt": "one\n", "b.txt": "two\n" },
    approval: { read: true },
  });
  const { provider, connections } = agent.settings;
  Object.assign(provider, { api: one.api, model: `default/${one.model}`, reasoningEffort: "low" });
  connections.push({ name: "other", api: other.api, baseUrl: second.url, headers: {} });
}

/** What endpoints sealed in the messages of one connection: the long strings of their opaque forms. */
function sealed(connection: string, counts: (message: Message) => boolean = () => true): string[] {
  const messages = new Map<string, Message>();
  for (const event of agent.events)
    if (event.type === "message") messages.set(event.message.id, event.message);
  return [...messages.values()]
    .filter((message) => message.connection === connection && counts(message))
    .flatMap(({ blocks, reasoningDetails = [] }) => [
      ...reasoningDetails,
      ...blocks.flatMap((block) => {
        if (block.type === "reasoning") return block.signed ?? [];
        return block.type === "tool-call" ? (block.extra ?? []) : [];
      }),
    ])
    .flatMap((opaque) => JSON.stringify(opaque).match(/[\w+/=.-]{24,}/g) ?? []);
}

/** Refusals other than those from which something is learned. */
function refusals(server: ModelServer, { teaches }: Speaker): string[] {
  const learned = server.refusals.findIndex((reason) => teaches?.test(reason));
  return server.refusals.filter((_, index) => index !== learned);
}

const bodies = (server: ModelServer) => server.requests.map(({ text }) => text);

describe.each(["native", "xml"] as const)("under %s calls", (protocol) => {
  it.each(sampled(PAIRS, protocol === "native" ? 3 : 8))(
    "$one.name, $other.name, and back",
    async ({ one, other }) => {
      await start(one, other, protocol);
      await agent.view.send("Look at this, and at more", [PICTURE]);
      await agent.server.waitForHold("to other");
      agent.settings.provider.model = `other/${other.model}`;
      agent.server.release("to other");
      await second.waitForHold("to one");
      agent.settings.provider.model = `default/${one.model}`;
      second.release("to one");
      expect((await agent.view.active.idle)?.type).toBe("replied");
      await agent.view.send("Is there more?");
      expect((await agent.view.active.idle)?.type).toBe("replied");
      // Gemini's signature of a text is not returned if calls in the text are written anew.
      const anew = protocol === "xml" && one.api === "chat";
      const returnable = sealed("default", (message) => !anew || toolCalls(message).length === 0);
      await agent.view.send("Really?");
      expect((await agent.view.active.idle)?.type).toBe("replied");
      expect([refusals(agent.server, one), refusals(second, other)]).toEqual([[], []]);
      const answered = (server: ModelServer) => server.requests.flatMap(({ turn }) => turn ?? []);
      expect([answered(agent.server), answered(second)]).toEqual([
        ["A1", "A2", "A3", "A4", "A5"],
        ["B1", "B2", "B3"],
      ]);

      // What an endpoint sealed comes back to it, as it was, and nobody else gets it.
      const last = bodies(agent.server).at(-1) ?? "";
      const [toOne, toOther] = [bodies(agent.server).join(), bodies(second).join()];
      expect(returnable.length > 0).toBe(one.signs);
      expect(returnable.filter((seal) => !last.includes(seal))).toEqual([]);
      expect(sealed("default").filter((seal) => toOther.includes(seal))).toEqual([]);
      expect(sealed("other").filter((seal) => toOne.includes(seal))).toEqual([]);

      // Each sees what the other said and did, and the pictures.
      const first = bodies(second)[0] ?? "";
      expect([first.includes("I look."), last.includes("I am B.")]).toEqual([true, true]);
      const pictures = [first, last].map((body) => body.split(PICTURE.data).length - 1);
      expect(pictures).toEqual([2, 3]);
      expect(agent.rows().filter(({ kind }) => kind === "error")).toEqual([]);
    },
  );
});
