/** What people enter wrong for an endpoint: each mistake is recognized, and the words name the field and what to do. */

import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import japanese from "../../../../l10n/bundle.l10n.ja.json";
import { ProviderError } from "../../../../src/core/errors.ts";
import { listModels } from "../../../../src/core/provider/chat/models.ts";
import { createModelFetch } from "../../../../src/node/net/model-fetch.ts";
import type { ErrorView } from "../../../../src/shared/models/request-error.ts";
import { errorText } from "../../../../src/shared/words/error-words.ts";
import { translator } from "../../../../src/shared/words/task-words.ts";
import { listenAnew } from "../../../model-server/port.ts";
import { modelAt } from "../../../support/connections.ts";
import { delta, stream } from "../../../support/raw-stream.ts";
import { type Endpoint, ended, startEndpoint } from "./endpoint.ts";

let endpoint: Endpoint;
beforeAll(async () => {
  endpoint = await startEndpoint();
});
afterAll(() => endpoint.close());

const english = (error: ErrorView | undefined) => errorText(translator({}), error ?? expect.fail()).text;

/** The error of a request to an address, through the host's own network access. */
async function errorAt(baseUrl: string, apiKey = "key"): Promise<ErrorView> {
  for (const fetch of [createModelFetch({}), undefined]) {
    const asking = listModels({ ...modelAt(baseUrl, "m"), apiKey, fetch }, new AbortController().signal);
    const error = await asking.then(
      () => expect.fail("an answer"),
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof ProviderError)) throw error;
    if (fetch === undefined) return error.view;
  }
  return expect.fail();
}

describe("an address", () => {
  it.each([
    ["", "/v1: try http://host/v1."],
    ["/api", "/v1: try http://host/api/v1."],
    ["/v1/models", "ends after the version: try http://host/v1."],
    ["/openai/v1/chat", "ends after the version: try http://host/openai/v1."],
    ["/v1beta/openai/models", "ends after the version: try http://host/v1beta."],
    ["/v1", "at http://host/v1. Check the base URL."],
  ])("without an API at %j suggests another", (path, words) => {
    expect(english({ code: "wrong-address", subject: `http://host${path}` })).toContain(words);
  });

  it("of a page says so, and what to change", async () => {
    endpoint.say({ body: "<!doctype html><title>Welcome</title>" });
    const { error } = await endpoint.ask();
    expect(error?.view).toMatchObject({ code: "web-page", detail: "Welcome" });
    expect(english(error?.view)).toMatch(/answers with a web page\. Change the base URL/);
  });

  it("with http where https is required", async () => {
    const tls = {
      key: readFileSync("test/fixtures/tls/key.pem"),
      cert: readFileSync("test/fixtures/tls/certificate.pem"),
    };
    const server = https.createServer(tls, (_request, response) => response.end("{}"));
    const port = await listenAnew(server);
    // A server that only speaks TLS closes the connection, or answers with an alert that is no HTTP.
    const view = await errorAt(`http://127.0.0.1:${port}/v1`);
    expect(["wants-https", "unreachable"]).toContain(view.code);
    expect((await errorAt(`https://127.0.0.1:${port}/v1`)).code).toBe("untrusted-certificate");
    server.closeAllConnections();
    server.close();
    for (const body of [
      "<title>400 The plain HTTP request was sent to HTTPS port</title>",
      "Client sent an HTTP request to an HTTPS server.",
    ]) {
      endpoint.say({ status: 400, body });
      const { error } = await endpoint.ask();
      expect(error?.view.code).toBe("wants-https");
      expect(english(error?.view)).toContain("Change http:// to https:// in the base URL.");
    }
  });

  it("with https where there is none", async () => {
    const server = http.createServer((_request, response) => response.end("{}"));
    const port = await listenAnew(server);
    const view = await errorAt(`https://127.0.0.1:${port}/v1`);
    expect(view.code).toBe("wants-http");
    expect(english(view)).toContain("Change https:// to http:// in the base URL.");
    server.close();
  });
});

describe("a key of another maker", () => {
  it.each([
    ["https://api.openai.com/v1", "sk-ant-api03-abc", "Anthropic"],
    ["https://api.anthropic.com/v1", "sk-proj-abc", "OpenAI"],
    ["https://api.groq.com/openai/v1", "Bearer sk-or-v1-abc", "OpenRouter"],
  ])("is not sent to %s", async (baseUrl, apiKey, maker) => {
    const sent: string[] = [];
    const fetch = async (url: unknown) => {
      sent.push(String(url));
      return new Response("{}");
    };
    const asking = listModels({ ...modelAt(baseUrl, "m"), apiKey, fetch }, new AbortController().signal);
    const error = await asking.catch((thrown: unknown) => thrown);
    if (!(error instanceof ProviderError)) expect.fail();
    expect([error.view.code, error.view.detail, sent]).toEqual(["key-of-another", maker, []]);
    expect(english(error.view)).toContain(`is one of ${maker}. Set the key of this endpoint`);
    expect(JSON.stringify(error.view)).not.toContain(apiKey);
  });

  it("that an unknown address refuses is named, because it may be a proxy of that maker before", async () => {
    endpoint.say({ status: 401, body: '{"error":{"message":"invalid key"}}' });
    expect((await endpoint.ask({ apiKey: "sk-ant-api03-abc" })).error?.view).toMatchObject({
      code: "key-of-another",
      detail: "Anthropic",
    });
    expect((await endpoint.ask({ apiKey: "abc" })).error?.view.code).toBe("bad-key");
    endpoint.say({ body: stream(delta({ content: "Fine." }), ended) });
    expect((await endpoint.ask({ apiKey: "sk-ant-api03-abc" })).text).toBe("Fine.");
  });
});

describe("a model that is gone", () => {
  it.each([
    [404, '{"error":{"message":"The model `m` does not exist"}}'],
    [410, '{"error":{"message":"Gone"}}'],
    [400, '{"error":{"message":"The model `m` has been decommissioned and is no longer supported"}}'],
    [400, '{"error":{"message":"model m was retired on 2026-01-01"}}'],
  ])("%i %s", async (status, body) => {
    endpoint.say({ status, body });
    const { error } = await endpoint.ask();
    expect(error?.view).toMatchObject({ code: "unknown-model", subject: "m" });
    expect(english(error?.view)).toContain("named m. It may have been removed: choose another model.");
  });
});

it("each of them is said in Japanese too", () => {
  const t = translator(japanese);
  for (const code of [
    "wrong-address",
    "web-page",
    "wants-https",
    "wants-http",
    "key-of-another",
    "unknown-model",
  ] as const) {
    const { text } = errorText(t, { code, subject: "http://host/v1", detail: "OpenAI" });
    expect(text, code).toMatch(/[ぁ-ん].*http:\/\/host\/v1|http:\/\/host\/v1.*[ぁ-ん]/);
  }
});
