/** The check of a model, against endpoints with one fault each: every fault is named, and no other. */

import { afterEach, describe, expect, it } from "vitest";
import { Interrupt } from "../../../../../src/core/errors.ts";
import { checkBudget, checkModel } from "../../../../../src/core/provider/check/check-model.ts";
import { ModelProfiles } from "../../../../../src/core/provider/model-profile.ts";
import { systemClock } from "../../../../../src/node/clock.ts";
import { checkReportSchema, type Finding, probeIdSchema } from "../../../../../src/shared/models/check.ts";
import { settingsSchema } from "../../../../../src/shared/settings.ts";
import { modelAt } from "../../../../support/connections.ts";
import { type Fault, LISTED_WINDOW, PlayedModel, SMALL_WINDOW } from "./played-model.ts";

let played: PlayedModel | undefined;
afterEach(() => played?.close());

async function check(
  fault: Fault,
  {
    windowTokens = 60_000,
    signal = new AbortController().signal,
    now = () => new Date(played?.passed ?? 0),
    firstTokenTimeout = 777,
  } = {},
) {
  played = await new PlayedModel(fault).start();
  // Waiting for the first token ends when an answer will never come.
  const waiting = new Set<() => void>();
  const after: typeof systemClock.after = (ms, run) => {
    if (ms !== firstTokenTimeout * 1_000) return systemClock.after(ms, run);
    waiting.add(run);
    return { dispose: () => void waiting.delete(run) };
  };
  played.onStuck = () => {
    for (const run of [...waiting]) run();
  };
  const clock = { ...systemClock, now, after };
  const profiles = new ModelProfiles();
  const choice = modelAt(played.url, "m");
  const found: Finding[] = [];
  const settings = settingsSchema.parse({ provider: { firstTokenTimeout } });
  const deps = { apiKey: async () => "key", profiles, host: { clock }, settings: () => settings };
  const report = await checkModel(choice, deps, { windowTokens, found: (each) => found.push(each) }, signal);
  expect(found).toEqual(report.findings);
  expect(checkReportSchema.parse(report)).toEqual(report);
  // Each probe has one finding.
  expect(report.findings.map(({ probe }) => probe).sort()).toEqual([...probeIdSchema.options].sort());
  const named = report.findings.filter(({ state }) => state === "fault" || state === "absent");
  return { report, named: named.map(({ probe, code }) => `${probe}: ${code}`), profile: profiles.of(choice) };
}

describe("an endpoint without a fault", () => {
  it("is good, measured, and known from then on", async () => {
    const { report, named, profile } = await check("none");
    expect([report.verdict, named]).toEqual(["good", []]);
    expect(report.findings.filter(({ state }) => state === "skipped")).toEqual([]);
    const { tools, images, constrains, window } = profile.facts;
    expect([tools, images, constrains].map((fact) => [fact?.value, fact?.source, fact?.origin])).toEqual([
      [true, "learned", "check"],
      [true, "learned", "check"],
      [true, "learned", "check"],
    ]);
    expect(window?.value).toBe(LISTED_WINDOW);
    expect(report.findings.find(({ probe }) => probe === "window")).toMatchObject({
      code: "window-holds",
      values: [LISTED_WINDOW * 0.9],
    });
    expect(report.tokens).toBeGreaterThan(LISTED_WINDOW * 0.9);
  });
});

it.each(["schema-refused", "schema-ignored"] as const)("%s: calls are not constrained", async (fault) => {
  const { profile } = await check(fault);
  expect(profile.facts.constrains).toMatchObject({ value: false, origin: "check" });
});

/** What is named, and the verdict. */
const FAULTS: [Fault, string[], "unusable" | "limited" | "good"][] = [
  ["no-path", ["list: refused", "answer: refused"], "unusable"],
  ["html", ["list: refused", "answer: refused"], "unusable"],
  ["bad-key", ["list: refused", "answer: refused"], "unusable"],
  ["redirect", ["list: refused", "answer: refused"], "unusable"],
  ["busy", ["list: refused", "answer: refused"], "unusable"],
  ["broken", ["list: refused", "answer: refused"], "unusable"],
  ["no-model", ["answer: refused"], "unusable"],
  ["cut-off", ["answer: refused"], "unusable"],
  ["empty", ["answer: empty"], "unusable"],
  ["no-list", ["list: refused"], "good"],
  ["unlisted", ["list: unlisted"], "good"],
  ["whole-only", ["streaming: not-streamed"], "limited"],
  ["one-chunk", ["streaming: not-streamed"], "limited"],
  ["held-back", ["streaming: buffered"], "limited"],
  ["no-usage", ["stream-usage: no-usage", "cache: no-cache"], "good"],
  ["no-whole-usage", ["whole-usage: no-usage"], "good"],
  ["miscounts", ["usage-count: miscounted"], "limited"],
  ["no-finish", ["finish: no-finish"], "good"],
  ["stop-refused", ["stop: refused"], "good"],
  ["ignores-stop", ["stop: ignored"], "good"],
  ["ignores-limit", ["output-limit: ignored"], "good"],
  ["ignores-system", ["system: ignored"], "limited"],
  ["refuses-system", ["system: refused"], "limited"],
  ["forgets", ["history: ignored"], "unusable"],
  ["garbles", ["unicode: garbled"], "limited"],
  ["tools-refused", ["call: refused"], "good"],
  ["tools-ignored", ["call: no-calls"], "good"],
  ["no-ids", ["call-ids: no-ids"], "limited"],
  ["bad-json", ["call-json: bad-json"], "limited"],
  ["bad-schema", ["call-schema: bad-schema"], "limited"],
  ["one-call", ["call-parallel: one-call"], "good"],
  ["results-ignored", ["call-result: ignored"], "limited"],
  ["results-refused", ["call-result: refused"], "limited"],
  ["no-xml", ["xml: no-calls"], "good"],
  ["neither-calls", ["call: no-calls", "xml: no-calls"], "unusable"],
  ["images-refused", ["images: refused"], "good"],
  ["images-unseen", ["images: not-seen"], "good"],
  ["schema-refused", ["json-schema: refused"], "good"],
  ["schema-ignored", ["json-schema: ignored"], "good"],
  ["no-cache", ["cache: no-cache"], "good"],
  ["window-refused", ["window: window-smaller"], "limited"],
  ["window-cut", ["window: window-cut"], "limited"],
];

describe("an endpoint with one fault", () => {
  it.each(FAULTS)("%s", async (fault, named, verdict) => {
    const checked = await check(fault);
    expect([checked.named, checked.report.verdict]).toEqual([named, verdict]);
  });

  it("whose answers begin late has that named", async () => {
    let looks = 0;
    // Half a minute passes between any two looks at the clock.
    const now = () => new Date(looks++ * 30_000);
    const { report, named } = await check("none", { now });
    expect([named, report.verdict]).toEqual([["first-token: slow"], "limited"]);
  });

  it("of which no model can be asked is not asked further", async () => {
    const { report } = await check("bad-key");
    expect(played?.requests).toBe(2);
    expect(report.findings.find(({ probe }) => probe === "answer")?.error).toMatchObject({
      code: "bad-key",
      subject: played?.url,
    });
  });

  it("whose model answers nonsense has more than that named", async () => {
    const { report, named } = await check("gibberish");
    expect(report.verdict).toBe("unusable");
    expect(named).toContain("answer: wrong-answer");
  });
});

describe("the profile after a check", () => {
  it.each<[Fault, string, boolean, boolean]>([
    ["tools-refused", "xml", true, true],
    ["tools-ignored", "xml", true, true],
    ["bad-json", "xml", true, true],
    ["results-refused", "xml", true, true],
    ["no-xml", "native", true, true],
    ["neither-calls", "native", true, true],
    ["images-refused", "native", false, false],
    ["images-unseen", "native", false, false],
  ])("%s: tools as %s", async (fault, protocol, sees, takes) => {
    const { profile } = await check(fault);
    expect([profile.protocol, profile.seesImages, profile.takesImages]).toEqual([protocol, sees, takes]);
  });

  it.each(["window-refused", "window-cut"] as const)("%s: has the real window", async (fault) => {
    const { profile, report } = await check(fault);
    const window = profile.window(0);
    expect(window).toBeGreaterThan(SMALL_WINDOW * 0.8);
    expect(window).toBeLessThanOrEqual(SMALL_WINDOW);
    expect(profile.facts.window).toMatchObject({ source: "learned", origin: "check" });
    expect(report.findings.at(-1)?.values).toEqual([window, LISTED_WINDOW]);
  });
});

describe("the window", () => {
  it("is not measured without a budget, and within it otherwise", async () => {
    const none = await check("none", { windowTokens: 0 });
    expect(none.report.findings.at(-1)).toMatchObject({ state: "skipped", code: "not-measured" });
    const base = none.report.tokens;
    played?.close();
    for (const fault of ["none", "window-cut"] as const) {
      const { report } = await check(fault, { windowTokens: 9_000 });
      expect(report.tokens).toBeLessThan(base + 9_000 * 1.1);
      played?.close();
    }
  });

  it("is not measured where the server is too slow for it, which is no fault", async () => {
    const { report, named } = await check("window-slow");
    expect([report.verdict, named]).toEqual(["good", []]);
    expect(report.findings.find(({ probe }) => probe === "window")).toMatchObject({
      ...{ state: "skipped", code: "not-measured" },
    });
  });

  it("names the refusal of an image as one, whatever its status", async () => {
    const { report } = await check("images-refused-500");
    expect(report.findings.find(({ probe }) => probe === "images")).toMatchObject({
      ...{ state: "absent", code: "refused", error: { code: "bad-request" } },
    });
  });

  it("costs no more than what is said first", async () => {
    const { report, profile } = await check("none");
    const { base, window } = checkBudget(profile);
    expect(report.tokens).toBeLessThan(base + window);
    expect(report.tokens - LISTED_WINDOW * 0.9).toBeGreaterThan(base / 3);
  });
});

it("a check that is aborted ends", async () => {
  await expect(check("none", { signal: AbortSignal.abort() })).rejects.toBeInstanceOf(Interrupt);
});
