/** The endpoint's list of models: asked for once, waited for briefly, and left alone for a while where there is none. */

import http from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ModelProfile, ModelProfiles } from "../../../../src/core/provider/model-profile.ts";
import { Windows } from "../../../../src/core/window/model-windows.ts";
import { settingsSchema } from "../../../../src/shared/settings.ts";
import { listenAnew } from "../../../model-server/port.ts";
import { modelAt } from "../../../support/connections.ts";

let server: http.Server;
let asked = 0;
let answer: string | undefined;
let now = 0;
let windows: Windows;
let profile: ModelProfile;

beforeEach(async () => {
  asked = 0;
  answer = JSON.stringify({ data: [{ id: "m", max_model_len: 16_384 }] });
  now = 1_000_000;
  server = http.createServer((_request, response) => {
    asked++;
    response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(answer ?? "{}");
  });
  const baseUrl = `http://127.0.0.1:${await listenAnew(server)}/v1`;
  profile = new ModelProfiles().of(modelAt(baseUrl, "m"));
  const settings = settingsSchema.parse({ provider: { baseUrl, model: "m" } });
  // However busy the machine is, the list is waited for.
  const clock = { now: () => new Date(now), after: () => ({ dispose: () => undefined }) };
  const log = { info: () => undefined, error: () => undefined };
  windows = new Windows({ host: { clock, log }, settings: () => settings, apiKey: async () => "key" });
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const ask = () => windows.ask(profile, new AbortController().signal);

describe("the window that an endpoint lists", () => {
  it("is asked for once", async () => {
    expect([await ask(), await ask(), await ask()]).toEqual([16_384, 16_384, 16_384]);
    expect(asked).toBe(1);
  });

  it("where there is no list, is not asked for with every message, but again after a minute", async () => {
    answer = undefined;
    expect([await ask(), await ask(), await ask()]).toEqual([128_000, 128_000, 128_000]);
    expect(asked).toBe(1);
    answer = JSON.stringify({ data: [{ id: "m", meta: { n_ctx: 8_192 } }] });
    now += 61_000;
    expect(await ask()).toBe(8_192);
    expect(asked).toBe(2);
  });

  it("gives way to a smaller one that a refusal named, until that is forgotten", async () => {
    await ask();
    profile.learnStatedWindow(12_000);
    expect([windows.of(profile), windows.budget(profile)]).toEqual([12_000, 9_600]);
    profile.forgetStatedWindow();
    expect(windows.of(profile)).toBe(16_384);
  });
});
