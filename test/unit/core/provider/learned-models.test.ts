/** What was learned about models survives a restart, within bounds, whatever became of its file. */

import { beforeEach, describe, expect, it } from "vitest";
import { LearnedModels } from "../../../../src/core/provider/learned-models.ts";
import { ModelProfiles } from "../../../../src/core/provider/model-profile.ts";
import { modelAt } from "../../../support/connections.ts";
import { MemoryStorage } from "../sessions/support.ts";

const DAY = 24 * 3_600_000;
let storage: MemoryStorage;
let now: number;
let logged: string[];
beforeEach(() => {
  storage = new MemoryStorage();
  now = Date.parse("2026-01-01T00:00:00Z");
  logged = [];
});

const clock = { now: () => new Date(now), after: () => ({ dispose: () => undefined }) };
const log = { info: () => undefined, error: (text: string) => void logged.push(text) };

/** As a host that starts. */
async function start() {
  const learned = new LearnedModels(storage, clock, log);
  await learned.load();
  return { learned, profiles: new ModelProfiles({ learned }) };
}
const choice = modelAt("https://host/v1", "m");
const stored = () => new TextDecoder().decode(storage.files.get("learned.json"));

describe("what was learned about a model", () => {
  it("is known after a restart: facts, and what its endpoint requires", async () => {
    const first = await start();
    const profile = first.profiles.of(choice);
    const [quirk] = profile.api.quirks;
    if (!quirk) expect.fail();
    profile.learnXml();
    profile.learn({ window: 16_384 }, "check");
    profile.learnQuirk(quirk);
    await first.learned.flush();

    const again = (await start()).profiles.of(choice);
    expect([again.protocol, again.window(0)]).toEqual(["xml", 16_384]);
    expect(again.facts.window).toEqual({ value: 16_384, source: "learned", origin: "check" });
    expect([...again.quirks]).toEqual([quirk]);
  });

  it("does not include what was due to a conversation, which the next task finds out for itself", async () => {
    const first = await start();
    for (const api of ["anthropic", "responses"] as const) {
      const profile = first.profiles.of(modelAt("https://host/v1", "m", { api }));
      const passing = profile.api.quirks.filter((quirk) => quirk.passing);
      expect(passing).not.toEqual([]);
      for (const quirk of profile.api.quirks) profile.learnQuirk(quirk);
      await first.learned.flush();
      const lasting = profile.api.quirks.filter((quirk) => !quirk.passing);
      const again = (await start()).profiles.of(modelAt("https://host/v1", "m", { api }));
      expect([...again.quirks]).toEqual(lasting);
      first.profiles.forgetPassing();
      expect([...profile.quirks]).toEqual(lasting);
    }
  });

  it("concerns its address and API, whatever the connection's name, and has no secret", async () => {
    const first = await start();
    const url = "https://user:word@host/v1/?key=secret";
    first.profiles.of(modelAt(url, "m", { headers: { "api-key": "secret" } })).learnNoImages();
    await first.learned.flush();
    expect(stored()).not.toMatch(/secret|word/);

    const { profiles } = await start();
    const known = (address: string, model: string) =>
      !profiles.of(modelAt(address, model, { name: "b" })).seesImages;
    expect([known("https://host/v1", "m"), known("https://host/v1/", "m")]).toEqual([true, true]);
    expect([known("https://host/v2", "m"), known("https://host/v1", "n")]).toEqual([false, false]);
  });

  it("does not include a window that a refusal named, which the next task asks for again", async () => {
    const first = await start();
    first.profiles.of(choice).learnStatedWindow(4_096);
    await first.learned.flush();
    expect((await start()).profiles.of(choice).facts.window).toBeUndefined();
  });

  it("of two hosts at once is kept", async () => {
    const [one, two] = [await start(), await start()];
    one.profiles.of(choice).learnXml();
    two.profiles.of(modelAt("https://host/v1", "n")).learnXml();
    await Promise.all([one.learned.flush(), two.learned.flush()]);
    const { profiles } = await start();
    expect(["m", "n"].map((id) => profiles.of(modelAt("https://host/v1", id)).protocol)).toEqual([
      "xml",
      "xml",
    ]);
  });

  it("is forgotten after a month, and beyond 300 models the oldest first", async () => {
    const { learned, profiles } = await start();
    for (let n = 0; n < 310; n++) {
      now += 1_000;
      profiles.of(modelAt("https://host/v1", `m${n}`)).learnXml();
    }
    await learned.flush();
    const known = async (id: string) =>
      (await start()).profiles.of(modelAt("https://host/v1", id)).protocol === "xml";
    expect([await known("m9"), await known("m10"), await known("m309")]).toEqual([false, true, true]);
    now += 31 * DAY;
    expect(await known("m309")).toBe(false);
  });

  it.each([
    ["cut in half", (text: string) => text.slice(0, text.length / 2)],
    ["of a later version", (text: string) => text.replace('"version": 1', '"version": 2')],
    ["not of ours", () => "[]"],
    ["empty", () => ""],
  ])("in a file that is %s is ignored with a line in the log, and learned anew", async (_, damage) => {
    const first = await start();
    first.profiles.of(choice).learnXml();
    await first.learned.flush();
    storage.put("learned.json", new TextEncoder().encode(damage(stored())));

    const second = await start();
    expect(logged).toHaveLength(1);
    expect(second.profiles.of(choice).protocol).toBe("native");
    second.profiles.of(choice).learnXml();
    await second.learned.flush();
    expect((await start()).profiles.of(choice).protocol).toBe("xml");
  });

  it("that cannot be written is known for now, and the log says so", async () => {
    const { learned, profiles } = await start();
    storage.beforeChange = () => {
      throw new Error("disk full");
    };
    profiles.of(choice).learnXml();
    await learned.flush();
    expect(logged).toEqual([expect.stringContaining("disk full")]);
    expect(profiles.of(choice).protocol).toBe("xml");
  });
});
