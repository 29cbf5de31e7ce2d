/**
 * An image or message that an endpoint refuses does not end a session: it is found, replaced by a note, and never sent to that
 * endpoint again.
 */
import { afterEach, describe, expect, it } from "vitest";
import type { Responder, ScriptTurn } from "../../../model-server/server.ts";
import { type Agent, type AgentOptions, startAgent } from "../../../support/agent.ts";
import { fc } from "../../../support/property.ts";
import { rounds } from "../../../support/random.ts";

let agent: Agent;
afterEach(() => agent.close());

const image = (n: number) => ({ mimeType: "image/png", data: Buffer.from(`image ${n}`).toString("base64") });
const dataOf = (n: number) => image(n).data;

const REFUSED_IMAGE = "Invalid image: could not process the image.";
const REFUSED_TEXT = "The request contains content that cannot be processed.";

const refusal = (message: string): ScriptTurn => ({
  fault: { kind: "status", status: 400, message, type: "invalid_request_error" },
});
const fine: ScriptTurn = { answer: [{ text: "見ました。" }] };

/** Refuses each request that contains one of these, in any form. */
const refusing =
  (words: readonly string[], message: string, answer: Responder = () => fine): Responder =>
  (conversation, prompt) =>
    words.some((word) => prompt.some((piece) => piece.includes(word)))
      ? refusal(message)
      : answer(conversation, prompt);

async function start(script: Responder, options: Partial<AgentOptions> = {}): Promise<void> {
  agent = await startAgent({ script, protocol: "native", ...options });
}

async function say(text: string, images: ReturnType<typeof image>[] = []): Promise<unknown> {
  await agent.view.send(text, images);
  return (await agent.view.active.idle)?.type;
}

/** The number of requests that `work` causes. */
async function requestsOf(work: () => Promise<unknown>): Promise<number> {
  const before = agent.server.requests.length;
  await work();
  return agent.server.requests.length - before;
}

const noticed = (code: string) => agent.rows().filter((row) => row.kind === "notice" && row.code === code);

describe("a number of images that an endpoint refuses", () => {
  const sentImages = () => (agent.server.requests.at(-1)?.text.match(/data:image/g) ?? []).length;
  /** Accepts this many images in a request. */
  const atMost =
    (most: number, fault: (count: number) => ScriptTurn): Responder =>
    (_conversation, prompt) => {
      const count = prompt.join("").match(/data:image/g)?.length ?? 0;
      return count > most ? fault(count) : fine;
    };

  it.each([
    (n: number) => `request contains ${n} images, exceeding the maximum of 4 allowed per request`,
    () => "At most 4 image(s) may be provided in one request.",
    (n: number) => `Too many images: ${n} > 4`,
  ])("is learned once, in words %#", async (words) => {
    await start(atMost(4, (count) => refusal(words(count))));
    for (let n = 0; n < 4; n++) expect(await requestsOf(() => say("look", [image(n)]))).toBe(1);
    expect(await requestsOf(() => say("look", [image(4)]))).toBe(2);
    for (let n = 5; n < 9; n++) {
      expect(await requestsOf(() => say("look", [image(n)]))).toBe(1);
      // The newest ones; some more than needed are left out so that the beginning changes seldom.
      expect(agent.server.requests.at(-1)?.text).toContain(dataOf(n));
      expect(sentImages()).toBeLessThanOrEqual(4);
    }
    expect(noticed("refused-part")).toEqual([]);
  });

  it("is halved where the body has too many bytes", async () => {
    await start(
      atMost(3, () => ({
        fault: {
          kind: "body",
          status: 413,
          contentType: "text/html",
          body: "<title>413 Request Entity Too Large</title>",
        },
      })),
    );
    const images = Array.from({ length: 12 }, (_, n) => image(n));
    expect(await requestsOf(() => say("look", images))).toBe(3);
    expect(sentImages()).toBe(3);
    expect(await requestsOf(() => say("go on"))).toBe(1);
  });

  it("may be none for the number of bytes", async () => {
    await start(
      atMost(0, () => ({
        fault: { kind: "body", status: 413, contentType: "text/plain", body: "Payload Too Large" },
      })),
    );
    expect(await say("look", [image(1)])).toBe("replied");
  });
});

describe("an image that an endpoint refuses", () => {
  it("costs two tries once, then is replaced by a note, also after a restart and for another image", async () => {
    await start(refusing([dataOf(1)], REFUSED_IMAGE));
    expect(await requestsOf(() => say("look", [image(1)]))).toBe(2);
    expect(noticed("refused-part")).toMatchObject([{ values: ["image", REFUSED_IMAGE] }]);
    expect(await requestsOf(() => say("go on"))).toBe(1);
    await agent.restart();
    expect(await requestsOf(() => say("and this", [image(2)]))).toBe(1);
    const sent = agent.server.requests.at(-1)?.text ?? "";
    expect([sent.includes(dataOf(1)), sent.includes(dataOf(2)), sent.includes("refused it")]).toEqual([
      false,
      true,
      true,
    ]);
    expect(noticed("refused-part")).toHaveLength(1);
  });

  it("is found among any number of images, whichever it is", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 9 }), fc.nat(), async (count, pick) => {
        const bad = pick % count;
        await start(refusing([dataOf(bad)], REFUSED_IMAGE));
        try {
          const images = Array.from({ length: count }, (_, n) => image(n));
          expect(await requestsOf(() => say("look", images))).toBeLessThanOrEqual(
            2 + Math.ceil(Math.log2(count)),
          );
          for (let n = 0; n < 5 && noticed("refused-part").length === 0; n++) await say(`go on ${n}`);
          expect(await requestsOf(() => say("at last"))).toBe(1);
          const sent = agent.server.requests.at(-1)?.text ?? "";
          const missing = images.flatMap(({ data }, n) => (sent.includes(data) ? [] : [n]));
          expect(missing).toEqual([bad]);
        } finally {
          await agent.close();
        }
      }),
      { numRuns: rounds(8, 25) },
    );
  });

  it("of a type that models do not accept is left out before it is sent, with a row, once", async () => {
    await start(() => fine);
    expect(await requestsOf(() => say("look", [{ ...image(1), mimeType: "image/bmp" }]))).toBe(1);
    await say("and again");
    expect(noticed("image-type")).toMatchObject([{ values: ["image/bmp"] }]);
    expect(agent.server.requests.at(-1)?.text).not.toContain(dataOf(1));
  });

  it("is still sent to another model", async () => {
    await start((conversation, prompt) =>
      conversation.model === "strict" ? refusing([dataOf(1)], REFUSED_IMAGE)(conversation, prompt) : fine,
    );
    agent.settings.provider.model = "strict";
    await say("look", [image(1)]);
    agent.settings.provider.model = "lenient";
    await say("and you?");
    expect(agent.server.requests.at(-1)?.text).toContain(dataOf(1));
  });
});

describe("a message that an endpoint refuses", () => {
  const files = { "bad.txt": "the forbidden words", "good.txt": "fine words" };
  const reads: Responder = refusing(["the forbidden words"], REFUSED_TEXT, ({ said, toolResults }) =>
    said.at(-1)?.text.includes("read both") && toolResults.length === 0
      ? {
          answer: [
            { tool: "read_file", params: { path: "good.txt" } },
            { tool: "read_file", params: { path: "bad.txt" } },
          ],
        }
      : fine,
  );

  it("a result: the task goes on with a note in its place", async () => {
    await start(reads, { files, approval: { read: true } });
    expect(await say("read both")).toBe("replied");
    expect([...noticed("refused-part"), ...noticed("refused-parts")]).toHaveLength(1);
    expect(agent.server.requests.at(-1)?.text).toContain("refused by the endpoint");
    for (let n = 0; n < 3 && noticed("refused-part").length === 0; n++) await say(`go on ${n}`);
    expect(noticed("refused-part")).toMatchObject([{ values: ["message", REFUSED_TEXT] }]);
    expect(await requestsOf(() => say("go on"))).toBe(1);
    expect(agent.server.requests.at(-1)?.text).toContain("fine words");
    await agent.restart();
    expect(await requestsOf(() => say("go on"))).toBe(1);
  });

  it("the user's newest message: the user is told, and the next message is answered", async () => {
    await start(refusing(["the forbidden words"], REFUSED_TEXT));
    await say("hello");
    expect(await requestsOf(() => say("say the forbidden words"))).toBe(1);
    expect(agent.rows().at(-1)).toMatchObject({ kind: "error", error: { code: "bad-request" } });
    expect(await requestsOf(() => say("something else"))).toBe(2);
    expect(agent.rows().at(-1)).toMatchObject({ kind: "text", text: "見ました。" });
    expect(await requestsOf(() => say("and more"))).toBe(1);
  });

  it("in a session that another model began: it is found among all messages", async () => {
    await start((conversation, prompt) =>
      conversation.model === "strict" ? refusing(["forbidden 3"], REFUSED_TEXT)(conversation, prompt) : fine,
    );
    agent.settings.provider.model = "lenient";
    for (let n = 0; n < 8; n++) await say(`forbidden ${n}`);
    agent.settings.provider.model = "strict";
    for (let n = 0; n < 6 && noticed("refused-part").length === 0; n++) {
      expect(await requestsOf(() => say(`go on ${n}`))).toBeLessThanOrEqual(7);
      expect(agent.rows().at(-1)?.kind).not.toBe("error");
    }
    expect(await requestsOf(() => say("at last"))).toBe(1);
    const sent = agent.server.requests.at(-1)?.text ?? "";
    const missing = Array.from({ length: 8 }, (_, n) => n).filter((n) => !sent.includes(`forbidden ${n}`));
    expect(missing).toEqual([3]);
  });

  it("a refusal that has nothing to do with messages ends after a few requests", async () => {
    await start(() => refusal("Unsupported value of some parameter."));
    expect(await requestsOf(() => say("hello"))).toBe(1);
    expect(await requestsOf(() => say("hello again"))).toBeLessThanOrEqual(4);
    expect(noticed("refused-part")).toEqual([]);
  });
});
