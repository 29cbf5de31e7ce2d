/** A hostile endpoint gets nothing sent elsewhere and takes no memory or time beyond the bounds. */

import { randomBytes } from "node:crypto";
import http from "node:http";
import zlib from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listModels } from "../../../../src/core/provider/chat/models.ts";
import { BOUNDS } from "../../../../src/core/provider/received.ts";
import { createModelFetch } from "../../../../src/node/net/model-fetch.ts";
import { listenAnew } from "../../../model-server/port.ts";
import { modelAt } from "../../../support/connections.ts";
import { delta, stream } from "../../../support/raw-stream.ts";
import { type Endpoint, ended, SSE, startEndpoint } from "./endpoint.ts";

let endpoint: Endpoint;
let other: Endpoint;
beforeAll(async () => {
  endpoint = await startEndpoint();
  other = await startEndpoint();
});
afterAll(() => {
  endpoint.close();
  other.close();
});
beforeEach(() => {
  endpoint.heard.length = 0;
  other.heard.length = 0;
});

const fine = { body: stream(delta({ content: "Fine." }), ended) };
const SECRETS = { provider: { headers: { "api-key": "secret-of-mine", "x-team": "secret-team" } } };

describe("a redirect", () => {
  describe.each([301, 302, 303, 307, 308])("%i", (status) => {
    it.each([
      ["another port", () => `${other.url}/chat/completions`],
      ["another scheme", () => `https://127.0.0.1:${new URL(endpoint.url).port}/v1/chat/completions`],
      ["another host", () => endpoint.url.replace("127.0.0.1", "localhost")],
      ["without a scheme", () => `//127.0.0.1:${new URL(other.url).port}/v1/chat/completions`],
      ["with a password", () => other.url.replace("http://", "http://user:word@")],
      ["no address", () => "http://["],
      ["another kind", () => "file:///etc/passwd"],
    ])("to %s is named and not followed", async (_, location) => {
      other.say(fine);
      endpoint.say({ status, headers: { location: location() }, body: "moved" }, fine);
      const { error, text } = await endpoint.ask(SECRETS);
      expect(error?.view).toMatchObject({ code: "redirected", subject: `${endpoint.url}/chat/completions` });
      expect(error?.view.detail ?? "").not.toContain("word");
      expect(error?.transient).toBe(false);
      expect([text, other.heard, endpoint.heard.length]).toEqual(["", [], 1]);
    });
  });

  it.each([301, 302, 307, 308])("%i within the origin is followed with the same request", async (status) => {
    endpoint.say({ status, headers: { location: "/v2/chat/completions?a=b" }, body: "moved" }, fine);
    const { error, text } = await endpoint.ask(SECRETS);
    expect([error, text]).toEqual([undefined, "Fine."]);
    const [first, second] = endpoint.heard;
    expect(second).toEqual({ ...first, url: "/v2/chat/completions?a=b" });
    expect(second?.headers["api-key"]).toBe("secret-of-mine");
  });

  it("in a circle ends", async () => {
    endpoint.say({ status: 308, headers: { location: "/v1/chat/completions" }, body: "" });
    expect((await endpoint.ask()).error?.view.code).toBe("redirected");
    expect(endpoint.heard.length).toBeLessThan(10);
  });

  it("of the list of models is not followed either, through any way to the network", async () => {
    const asked: string[] = [];
    const server = http.createServer((request, response) => {
      asked.push(request.url ?? "");
      response.writeHead(302, { location: `${other.url}/models` }).end();
    });
    const baseUrl = `http://127.0.0.1:${await listenAnew(server)}/v1`;
    const { headers } = SECRETS.provider;
    for (const send of [undefined, createModelFetch({})]) {
      const listing = listModels(
        { ...modelAt(baseUrl, "m", { headers }), apiKey: "key", fetch: send },
        new AbortController().signal,
      );
      await expect(listing).rejects.toThrow();
    }
    expect([asked, other.heard]).toEqual([["/v1/models", "/v1/models"], []]);
    server.closeAllConnections();
    server.close();
  });
});

/** Sends `piece` for ever, and tells how often. */
function* endless(piece: string | Buffer, sent: { bytes: number }): Generator<string | Buffer> {
  for (;;) {
    sent.bytes += piece.length;
    yield piece;
  }
}

describe("what never ends is ended", () => {
  const line = "x".repeat(64 * 1024);
  const call = { id: "c", function: { name: "read_file", arguments: "" } };
  it.each<[string, string, number, string, number]>([
    ["a line", `data: "${line}`, 200, "response-too-large", BOUNDS.line],
    ["an answer that does not stream", `{"a": "${line}`, 200, "response-too-large", BOUNDS.document],
    ["text", stream(delta({ content: line })), 200, "response-too-large", BOUNDS.answer],
    ["reasoning", stream(delta({ reasoning_content: line })), 200, "response-too-large", BOUNDS.answer],
    [
      "signed reasoning",
      stream(delta({ reasoning_details: [{ type: "x", data: line }] })),
      200,
      "response-too-large",
      BOUNDS.answer,
    ],
    [
      "arguments",
      stream(
        delta({ tool_calls: [{ ...call, index: 0, function: { name: "read_file", arguments: line } }] }),
      ),
      200,
      "response-too-large",
      BOUNDS.answer,
    ],
    ["a refusal", line, 400, "bad-request", BOUNDS.refusal],
    ["a refusal in JSON", `{"error": {"message": "${line}`, 500, "server-error", BOUNDS.refusal],
  ])("%s", async (_, piece, status, code, bound) => {
    const sent = { bytes: 0 };
    endpoint.say({ status, headers: SSE, body: endless(piece, sent) });
    const { error } = await endpoint.ask({ provider: { firstTokenTimeout: 0, idleTimeout: 0 } });
    expect(error?.view.code).toBe(code);
    expect((error?.view.detail ?? "").length).toBeLessThan(1_000);
    // What the two ends of the connection hold in their buffers comes on top.
    expect(sent.bytes).toBeLessThan(3 * bound + 32 * 1024 * 1024);
  });

  it("what is packed counts as unpacked", async () => {
    const sent = { bytes: 0 };
    const packed = zlib.gzipSync(`: ${"y".repeat(16 * 1024 * 1024)}`);
    const headers = { ...SSE, "content-encoding": "gzip" };
    endpoint.say({ headers, body: endless(packed, sent) });
    const { error } = await endpoint.ask();
    expect(error?.view.code).toBe("response-too-large");
  });

  it("blank lines for a long time are no work", async () => {
    function* blanks() {
      for (let n = 0; n < 20_000; n++) yield "\n".repeat(100);
      yield stream(delta({ content: "Fine." }), ended);
    }
    endpoint.say({ headers: SSE, body: blanks() });
    expect((await endpoint.ask()).text).toBe("Fine.");
  });

  it("a list of models", async () => {
    const sent = { bytes: 0 };
    endpoint.say({ headers: { "content-type": "application/json" }, body: endless(`["${line}"],`, sent) });
    const listing = listModels(
      { ...modelAt(endpoint.url, "m"), apiKey: "key" },
      new AbortController().signal,
    );
    await expect(listing).rejects.toThrow();
    expect(sent.bytes).toBeLessThan(3 * BOUNDS.document + 32 * 1024 * 1024);
  });
});

it("many lines without an empty one between are within the bounds, each by itself", async () => {
  const line = stream({ ...delta({ content: "x" }), padding: "x".repeat(64 * 1024) }).trimEnd();
  function* lines() {
    for (let sent = 0; sent < 1.5 * BOUNDS.line; sent += line.length) yield `${line}\n`;
    yield `${stream(ended)}`;
  }
  endpoint.say({ body: lines() });
  const { error, text } = await endpoint.ask();
  expect(error).toBeUndefined();
  expect(text.length).toBeGreaterThan(300);
});

it("a large call in one line is within the bounds", async () => {
  const content = randomBytes(1024 * 1024).toString("hex");
  const call = {
    index: 0,
    id: "c",
    function: { name: "write_to_file", arguments: JSON.stringify({ content }) },
  };
  endpoint.say({ body: stream(delta({ tool_calls: [call] }), ended) });
  const { error, parts } = await endpoint.ask();
  expect(error).toBeUndefined();
  expect(JSON.stringify(parts)).toContain(content);
});
