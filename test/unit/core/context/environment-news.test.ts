/** When the environment is described again: what the model has received already is not sent with each result. */
import { describe, expect, it } from "vitest";
import { type EnvironmentDetails, hasNews } from "../../../../src/core/context/environment.ts";

const MINUTE = 60_000;

function details(sections: Record<string, string> = {}, at = 0, usedShare = 0.1): EnvironmentDetails {
  const time = { "Current Time": `${at}`, "Context Window Usage": `${usedShare}` };
  const all = { "Open Tabs": "a.ts", "Current Mode": "ACT MODE", ...time, ...sections };
  return { sections: new Map(Object.entries(all)), at, usedShare };
}

describe("environment details after a result", () => {
  it("are no news while nothing but the time and the window's use moves on", () => {
    expect(hasNews(details(), details({}, 4 * MINUTE, 0.14))).toBe(false);
  });

  it("are news after five minutes, and after a twentieth of the window", () => {
    expect(hasNews(details(), details({}, 5 * MINUTE))).toBe(true);
    expect(hasNews(details(), details({}, 1, 0.16))).toBe(true);
    expect(hasNews(details({}, 0, 0.5), details({}, 1, 0.2))).toBe(true);
    expect(hasNews(details({}, 0, 0), details({}, 1, 0.001))).toBe(true);
  });

  it.each([
    ["the mode", { "Current Mode": "PLAN MODE" }],
    ["the open tabs", { "Open Tabs": "b.ts" }],
    ["a new section", { "Inactive Terminals": "## 1: npm test (ended after 2s, exit code 0)" }],
  ])("are news if %s changed", (_, sections) => {
    expect(hasNews(details(), details(sections))).toBe(true);
  });

  it("are no news without the sections that only a first message has", () => {
    expect(hasNews(details({ "Workspace Configuration": "{}" }), details())).toBe(false);
  });

  it("are news when a command no longer runs, and when no file is looked at", () => {
    for (const title of ["Actively Running Terminals", "Current File"])
      expect(hasNews(details({ [title]: "something" }), details()), title).toBe(true);
  });

  it("are news for each change by the user and each new output, also if it is the same again", () => {
    const modified = details({ "Recently Modified Files": "a.ts" });
    expect(hasNews(modified, modified)).toBe(true);
    expect(hasNews(modified, details())).toBe(false);
    const running = (output: string) =>
      details({ "Actively Running Terminals": `## 1: npm start (running for 2s)${output}` });
    expect(hasNews(running("\n### New Output\ntick"), running("\n### New Output\ntick"))).toBe(true);
    expect(hasNews(running(""), running(""))).toBe(false);
  });

  it("are no news for how long a command has been running", () => {
    const running = (time: string) =>
      details({ "Actively Running Terminals": `## 1: npm start (running for ${time})` });
    expect(hasNews(running("59s"), running("1m 2s"))).toBe(false);
  });
});
