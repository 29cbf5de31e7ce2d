/** Every finding of a check is a sentence in both languages, and a report says what follows from it. */

import { describe, expect, it } from "vitest";
import japanese from "../../../l10n/bundle.l10n.ja.json";
import {
  type Finding,
  findingCodeSchema,
  probeIdSchema,
  verdictSchema,
} from "../../../src/shared/models/check.ts";
import {
  checkVerdictText,
  consequences,
  findingText,
  probeTitle,
} from "../../../src/shared/words/check-words.ts";
import { translator } from "../../../src/shared/words/task-words.ts";

const finding = (probe: Finding["probe"], state: Finding["state"], code: Finding["code"]): Finding => ({
  ...{ probe, state, code },
  values: [12_345, 67_890],
});
const en = translator({});
const ja = translator(japanese);

describe("the words of a check", () => {
  it.each(findingCodeSchema.options)("say %s in both languages", (code) => {
    for (const probe of probeIdSchema.options) {
      const [english, japaneseText] = [en, ja].map((t) => findingText(t, finding(probe, "fault", code)));
      expect(english, code).not.toBe("");
      expect(english).not.toMatch(/\{\d\}/);
      expect(japaneseText).not.toBe(english);
    }
  });

  it("name every probe, each by another title", () => {
    for (const t of [en, ja])
      expect(new Set(probeIdSchema.options.map((probe) => probeTitle(t, probe))).size).toBe(
        probeIdSchema.options.length,
      );
    expect(new Set(verdictSchema.options.map((verdict) => checkVerdictText(ja, verdict))).size).toBe(3);
  });

  it("have figures and the endpoint's own words", () => {
    expect(findingText(en, finding("window", "fault", "window-cut"))).toContain(
      "about 12,345 tokens, not 67,890",
    );
    const error = { code: "bad-request" as const, subject: "http://x/v1", detail: "no images here" };
    expect(findingText(en, { ...finding("images", "absent", "refused"), error })).toBe(
      "http://x/v1 rejected the request. (no images here)",
    );
  });

  it("say what follows for Nekode's requests", () => {
    const findings = [
      finding("call", "absent", "no-calls"),
      finding("xml", "good", "works"),
      finding("images", "absent", "not-seen"),
      finding("stream-usage", "absent", "no-usage"),
    ];
    expect(consequences(en, { findings, verdict: "good" })).toEqual([
      "Tools are called in XML.",
      "Images are not sent.",
      "Tokens are estimated.",
    ]);
    expect(consequences(en, { findings, verdict: "unusable" })).toEqual([]);
    expect(consequences(en, { findings: [finding("call", "good", "works")], verdict: "good" })).toEqual([]);
  });
});
