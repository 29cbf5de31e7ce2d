/** Telemetry: off unless the user or the administrator switches it on, without contents unless asked, and never in a task's way. */
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { type RunningTelemetry, startTelemetry } from "../../../../src/node/telemetry/export-telemetry.ts";
import { telemetryTarget } from "../../../../src/node/telemetry/telemetry-target.ts";
import { settingsSchema, WORKSPACE_SETTINGS } from "../../../../src/shared/settings.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";
import { temporaryFolder } from "../support.ts";

const KEY = "sk-canary-0123456789";
const SECRET = "meow-secret-7f3a";
const PATH = "private-name.txt";
const agents: Agent[] = [];
const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.close();
  for (const close of closing.splice(0)) await close();
});

const value = z.strictObject({
  stringValue: z.string().optional(),
  intValue: z
    .string()
    .regex(/^-?\d+$/)
    .optional(),
  doubleValue: z.number().optional(),
  boolValue: z.boolean().optional(),
  arrayValue: z.object({ values: z.array(z.unknown()) }).optional(),
});
const attributes = z.array(z.strictObject({ key: z.string(), value }));
const nanoseconds = z.string().regex(/^\d{19}$/);
const resource = z.strictObject({ attributes });
const scope = z.strictObject({ name: z.literal("nekode"), version: z.string() });
/** The part of the protocol's schema that is used; an unknown key is an error. */
const tracesSchema = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource,
      scopeSpans: z.array(
        z.strictObject({
          scope,
          spans: z.array(
            z.strictObject({
              traceId: z.string().regex(/^[\da-f]{32}$/),
              spanId: z.string().regex(/^[\da-f]{16}$/),
              parentSpanId: z
                .string()
                .regex(/^[\da-f]{16}$/)
                .optional(),
              name: z.string(),
              kind: z.int().min(1).max(5),
              startTimeUnixNano: nanoseconds,
              endTimeUnixNano: nanoseconds,
              attributes,
              status: z.strictObject({ code: z.literal(2) }).optional(),
            }),
          ),
        }),
      ),
    }),
  ),
});
const metricsSchema = z.strictObject({
  resourceMetrics: z.array(
    z.strictObject({
      resource,
      scopeMetrics: z.array(
        z.strictObject({
          scope,
          metrics: z.array(
            z.strictObject({
              name: z.string(),
              unit: z.string(),
              histogram: z.strictObject({
                aggregationTemporality: z.literal(1),
                dataPoints: z.array(
                  z.strictObject({
                    startTimeUnixNano: nanoseconds,
                    timeUnixNano: nanoseconds,
                    attributes,
                    count: z.string().regex(/^\d+$/),
                    sum: z.number(),
                    min: z.number(),
                    max: z.number(),
                    explicitBounds: z.array(z.number()),
                    bucketCounts: z.array(z.string().regex(/^\d+$/)),
                  }),
                ),
              }),
            }),
          ),
        }),
      ),
    }),
  ),
});

interface Received {
  url: string;
  headers: IncomingMessage["headers"];
  body: unknown;
}

async function collector(status = 200) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const part of request) text += part;
    received.push({ url: request.url ?? "", headers: request.headers, body: JSON.parse(text) });
    response.writeHead(status).end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(async () => server.close());
  const address = z.object({ port: z.number() }).parse(server.address());
  return { endpoint: `http://127.0.0.1:${address.port}`, received };
}

function observe(agent: Agent, { observer }: RunningTelemetry): void {
  agent.profiles.observer = observer;
  agent.project.onAnyEvent((event) => observer.event(event));
}

/** A task that writes a file and is done, with this telemetry. */
async function task(telemetryOf: () => RunningTelemetry): Promise<Agent> {
  const agent = await startAgent({
    script: {
      turns: [
        {
          times: 1,
          answer: [{ tool: "write_to_file", params: { path: PATH, content: SECRET } }],
          usage: { promptTokens: 120, completionTokens: 7 },
        },
        { times: true, answer: [{ tool: "attempt_completion", params: { result: SECRET } }] },
      ],
    },
    approval: { edit: true },
    apiKey: KEY,
  });
  agents.push(agent);
  const telemetry = telemetryOf();
  observe(agent, telemetry);
  await agent.view.send(`Write ${SECRET}`);
  await agent.view.active.idle;
  await telemetry.close();
  return agent;
}

const logged: string[] = [];
const log = { info: () => {}, error: (text: string) => void logged.push(text) };

const started = (
  target: Parameters<typeof startTelemetry>[0]["target"],
  environment: Record<string, string> = {},
) => startTelemetry({ target, environment, version: "1.2.3", log });

const spansIn = (received: readonly Received[]) =>
  received
    .filter(({ url }) => url === "/v1/traces")
    .flatMap(({ body }) => tracesSchema.parse(body).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap((each) => each.spans));

const finishReasons = (spans: ReturnType<typeof spansIn>) =>
  spans.map(({ attributes: list }) =>
    list
      .find(({ key }) => key === "gen_ai.response.finish_reasons")
      ?.value.arrayValue?.values.map((each) => z.object({ stringValue: z.string() }).parse(each).stringValue),
  );

const plain = (list: z.infer<typeof attributes>) =>
  Object.fromEntries(
    list.map(({ key, value: { stringValue, intValue } }) => [
      key,
      intValue === undefined ? stringValue : Number(intValue),
    ]),
  );

describe("what is exported", () => {
  it("goes to a collector as spans and metrics of the conventions, without contents, names of files or keys", async () => {
    const { endpoint, received } = await collector();
    const headers = { authorization: "Bearer t" };
    const agent = await task(() =>
      started(
        { endpoint, headers, content: false },
        { OTEL_SERVICE_NAME: "cats", OTEL_RESOURCE_ATTRIBUTES: "team=neko" },
      ),
    );
    expect([...new Set(received.map(({ url }) => url))].sort()).toEqual(["/v1/metrics", "/v1/traces"]);
    expect(received[0]?.headers).toMatchObject({
      authorization: "Bearer t",
      "content-type": "application/json",
    });
    const traces = received
      .filter(({ url }) => url === "/v1/traces")
      .map(({ body }) => tracesSchema.parse(body));
    const [first] = traces[0]?.resourceSpans ?? [];
    expect(plain(first?.resource.attributes ?? [])).toMatchObject({
      "service.name": "cats",
      "service.version": "1.2.3",
      team: "neko",
    });
    const spans = traces.flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((each) => each.spans)),
    );
    const root = spans.find(({ name }) => name === "invoke_agent nekode");
    expect(finishReasons(spans)).toEqual([["stop"], undefined, ["stop"], undefined]);
    expect(spans.map(({ name }) => name)).toEqual([
      ...["chat scripted", "execute_tool write_to_file", "chat scripted"],
      "invoke_agent nekode",
    ]);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    for (const span of spans) expect(span.parentSpanId).toBe(span === root ? undefined : root?.spanId);
    expect(plain(spans[0]?.attributes ?? [])).toMatchObject({
      ...{
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "scripted",
        "gen_ai.provider.name": "openai_compatible",
      },
      ...{ "gen_ai.usage.input_tokens": 120, "gen_ai.usage.output_tokens": 7, "server.address": "127.0.0.1" },
      "gen_ai.conversation.id": agent.view.active.id,
    });
    const metrics = received
      .filter(({ url }) => url === "/v1/metrics")
      .flatMap(({ body }) => metricsSchema.parse(body).resourceMetrics)
      .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((each) => each.metrics));
    expect(new Set(metrics.map(({ name }) => name))).toEqual(
      new Set([
        ...[
          "gen_ai.client.operation.duration",
          "gen_ai.client.operation.time_to_first_chunk",
          "gen_ai.client.token.usage",
        ],
        ...["gen_ai.execute_tool.duration", "gen_ai.invoke_agent.duration"],
      ]),
    );
    for (const { histogram } of metrics)
      for (const { count, explicitBounds, bucketCounts } of histogram.dataPoints) {
        expect(bucketCounts).toHaveLength(explicitBounds.length + 1);
        expect(bucketCounts.reduce((sum, each) => sum + Number(each), 0)).toBe(Number(count));
      }
    const all = JSON.stringify(received.map(({ body }) => body));
    for (const word of [SECRET, PATH, "Bearer", KEY]) expect(all.includes(word) ? word : "").toBe("");
  });

  it("has what is asked beside a turn: a title and a summary, each with its purpose", async () => {
    const { endpoint, received } = await collector();
    const agent = await startAgent({
      script: {
        turns: [
          { match: { system: "Write a title" }, times: true, answer: [{ text: "Cats" }] },
          { match: { request: 1 }, answer: [{ tool: "read_file", params: { path: "cats.txt" } }] },
          { match: { request: 2 }, answer: [{ tool: "attempt_completion", params: { result: "Two." } }] },
          { times: true, answer: [{ text: "<summary>\n## Goal\nCats\n</summary>" }] },
        ],
      },
      protocol: "native",
      files: { "cats.txt": "cats\n".repeat(2_000) },
      settings: { titles: { fromModel: true } },
    });
    agents.push(agent);
    const telemetry = started({ endpoint, headers: {}, content: false });
    observe(agent, telemetry);
    const titled = agent.until(({ type }) => type === "title");
    await agent.view.send("How many?");
    await titled;
    await agent.view.send("/compact");
    await agent.view.active.idle;
    await telemetry.close();
    const spans = spansIn(received);
    const chats = spans.filter(({ name }) => name === "chat scripted");
    const of = (purpose: string) =>
      chats.find(({ attributes: list }) => plain(list)["nekode.request.purpose"] === purpose);
    const turns = new Map(spans.map((span) => [span.spanId, span.name]));
    expect(
      ["turn", "title", "summary"].map((purpose) => {
        const chat = of(purpose);
        return [plain(chat?.attributes ?? [])["gen_ai.conversation.id"], turns.get(chat?.parentSpanId ?? "")];
      }),
    ).toEqual([
      [agent.view.active.id, "invoke_agent nekode"],
      // The turn is over by then.
      [agent.view.active.id, undefined],
      [agent.view.active.id, "invoke_agent nekode"],
    ]);
  });

  it("has the answers of a comparison below their turn, and why a request failed", async () => {
    const { endpoint, received } = await collector();
    const agent = await startAgent({
      script: {
        turns: [
          { match: { model: "failing" }, times: true, fault: { kind: "status", status: 401 } },
          { times: true, answer: [{ text: "Meow." }] },
        ],
      },
      protocol: "native",
    });
    agents.push(agent);
    agent.settings.connections = [{ name: "one", api: "chat", baseUrl: agent.server.url, headers: {} }];
    const telemetry = started({ endpoint, headers: {}, content: false });
    observe(agent, telemetry);
    await agent.view.send("@one/failing @one/plain What is it?");
    await agent.view.active.idle;
    await telemetry.close();
    const spans = spansIn(received);
    const turn = spans.find(({ name }) => name === "invoke_agent nekode");
    const found = (name: string) => {
      const chat = spans.find((span) => span.name === name);
      const { "error.type": error, "gen_ai.request.max_tokens": most } = plain(chat?.attributes ?? []);
      return [chat?.parentSpanId, error, most];
    };
    expect(found("chat failing")).toEqual([turn?.spanId, "bad-key", undefined]);
    expect(found("chat plain")).toEqual([turn?.spanId, undefined, undefined]);
  });

  it("has contents only on request, and can go to a file that only the user reads", async () => {
    const file = path.join(await temporaryFolder(), "telemetry.jsonl");
    await task(() => started({ file, content: true }));
    const lines = (await readFile(file, "utf8"))
      .trimEnd()
      .split("\n")
      .map((line): unknown => JSON.parse(line));
    expect(tracesSchema.safeParse(lines[0]).error).toBeUndefined();
    expect(metricsSchema.safeParse(lines[1]).error).toBeUndefined();
    const text = JSON.stringify(lines[0]);
    for (const name of [
      "gen_ai.input.messages",
      "gen_ai.output.messages",
      "gen_ai.tool.call.arguments",
      SECRET,
    ])
      expect(text).toContain(name);
  });

  it("is dropped where the collector is gone or refuses, which is said once and holds up nothing", async () => {
    logged.length = 0;
    const gone = { endpoint: "http://127.0.0.1:9", headers: {}, content: false };
    const agent = await task(() => started(gone));
    expect(agent.rows().some(({ kind }) => kind === "error")).toBe(false);
    expect(logged).toEqual([
      expect.stringMatching(/^telemetry was not exported to http:\/\/127\.0\.0\.1:9: /),
    ]);
    const { endpoint } = await collector(503);
    await task(() => started({ ...gone, endpoint }));
    expect(logged[1]).toContain("503");
  });
});

describe("the switch", () => {
  const settings = (telemetry: object) => settingsSchema.parse({ telemetry });
  const OTEL = {
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318",
    OTEL_EXPORTER_OTLP_HEADERS: "a=b%20c,d=e",
  };

  it("is off by default, whatever the variables say", () => {
    expect(telemetryTarget(settings({}), undefined, OTEL)).toBeUndefined();
    expect(telemetryTarget(settings({ endpoint: "http://a" }), undefined, OTEL)).toBeUndefined();
    expect(telemetryTarget(settings({ export: "file" }), undefined, OTEL)).toBeUndefined();
  });

  it("on, takes the address and the headers of the variables, and no contents", () => {
    expect(telemetryTarget(settings({ export: "otlp" }), undefined, OTEL)).toEqual({
      ...{ endpoint: "http://collector:4318", headers: { a: "b c", d: "e" }, content: false },
    });
  });

  it("is the administrator's where the policy says anything", () => {
    const own = settings({ export: "otlp", endpoint: "http://own", content: true });
    expect(telemetryTarget(own, { telemetry: "off" }, OTEL)).toBeUndefined();
    expect(telemetryTarget(own, { telemetry: { endpoint: "http://ours" } }, OTEL)).toEqual({
      ...{ endpoint: "http://ours", headers: {}, content: false },
    });
    expect(telemetryTarget(settings({}), { telemetry: { file: "/var/log/n", content: true } }, {})).toEqual({
      file: "/var/log/n",
      content: true,
    });
  });

  it("cannot be set by a workspace", () => {
    expect(WORKSPACE_SETTINGS.filter((name) => name.startsWith("telemetry"))).toEqual([]);
  });
});
