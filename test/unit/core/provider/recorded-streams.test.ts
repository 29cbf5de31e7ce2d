/** Answers that real endpoints gave, recorded by others: our adapters read what they say, however their bytes arrive. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { AnswerReader } from "../../../../src/core/assistant/answer-reader.ts";
import { BlockFolder } from "../../../../src/core/assistant/events.ts";
import { ProviderError } from "../../../../src/core/errors.ts";
import { ModelProfiles } from "../../../../src/core/provider/model-profile.ts";
import { systemClock } from "../../../../src/node/clock.ts";
import { settingsSchema } from "../../../../src/shared/settings.ts";
import { modelAt } from "../../../support/connections.ts";
import { sampled } from "../../../support/random.ts";
import { eventsOf, ORACLES, type Said } from "./recorded-oracle.ts";

const recordedSchema = z.array(
  z.object({
    file: z.string(),
    kind: z.enum(["chat", "responses", "anthropic"]),
    model: z.string().nullish(),
    body: z.string(),
  }),
);
type Recorded = z.infer<typeof recordedSchema>[number];

const packed = readFileSync(path.resolve(import.meta.dirname, "../../../fixtures/streams/recorded.json.gz"));
const recorded = recordedSchema.parse(JSON.parse(gunzipSync(packed).toString("utf8")));
const wanted = new Map(recorded.map((answer) => [answer, ORACLES[answer.kind](eventsOf(answer.body))]));
const profiles = new ModelProfiles();
const settings = settingsSchema.parse({});

/** The pieces in which a body arrives. */
const CHUNKINGS: readonly [string, (bytes: Buffer) => Iterable<Buffer>][] = [
  ["as one", (bytes) => [bytes]],
  ["one event at a time", eventAtATime],
  ["cut anywhere", cutAnywhere],
];

function* eventAtATime(bytes: Buffer): Generator<Buffer> {
  let from = 0;
  for (let to = bytes.indexOf("\n\n"); to >= 0; to = bytes.indexOf("\n\n", from)) {
    yield bytes.subarray(from, to + 2);
    from = to + 2;
  }
  yield bytes.subarray(from);
}

/** Characters of several bytes, line ends and escapes are cut too. */
function* cutAnywhere(bytes: Buffer): Generator<Buffer> {
  for (let from = 0, size = 1; from < bytes.length; from += size, size = ((size * 7) % 1_009) + 1)
    yield bytes.subarray(from, from + size);
}

function responseOf(pieces: Iterable<Buffer>): Response {
  const rest = pieces[Symbol.iterator]();
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { value, done } = rest.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

async function read({ kind, body }: Recorded, pieces: (bytes: Buffer) => Iterable<Buffer>): Promise<Said> {
  const choice = modelAt("http://127.0.0.1:1/v1", "m", { api: kind });
  const profile = profiles.of(choice);
  const endpoint = {
    ...{ ...choice, provider: settings.provider, apiKey: "key", clock: systemClock },
    fetch: async () => responseOf(pieces(Buffer.from(body))),
  };
  const request = { system: "s", messages: [], tools: [], protocol: "native" as const };
  const reader = new AnswerReader({ tools: [], newId: () => "new", maxCalls: 1_000 });
  const folder = new BlockFolder();
  const ids: string[] = [];
  const said: Said = {
    ...{ text: "", reasoning: "", calls: [], finish: undefined, inputTokens: undefined },
    ...{ outputTokens: undefined, failed: false },
  };
  const take = (events: ReturnType<AnswerReader["end"]>) => {
    for (const event of events) {
      folder.add(event);
      if (event.type === "tool-start") ids.push(event.id ?? "");
    }
  };
  try {
    for await (const part of profile.api.stream(endpoint, request, new Set(), new AbortController().signal)) {
      if (part.type === "text") said.text += part.delta;
      else if (part.type === "reasoning") said.reasoning += part.delta;
      else if (part.type === "tool-calls") take(reader.toolCalls(part.deltas));
      else if (part.type === "finish") said.finish = part.reason;
      else if (part.type === "usage") {
        said.inputTokens = part.usage.inputTokens;
        said.outputTokens = part.usage.outputTokens;
      }
    }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    said.failed = true;
  }
  take(reader.end(false));
  const calls = folder.open.flatMap((block) => (block.type === "tool" ? [block] : []));
  said.calls = calls.map(({ name, native }, index) => ({
    id: ids[index] ?? "",
    name,
    arguments: native?.arguments,
  }));
  return said;
}

describe.each(CHUNKINGS)("recorded answers that arrive %s", (how, pieces) => {
  it.each(["chat", "responses", "anthropic"] as const)("are read as they are: %s", async (kind) => {
    const ofKind = recorded.filter((one) => one.kind === kind);
    expect(ofKind.length).toBeGreaterThan(40);
    // What is read however it is cut is read whole, too: of that, some.
    for (const answer of how === "cut anywhere" ? ofKind : sampled(ofKind, 8))
      expect(await read(answer, pieces), answer.file).toEqual(wanted.get(answer));
  });
});
