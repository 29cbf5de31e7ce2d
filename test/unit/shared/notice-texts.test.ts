/** Reasons that notices carry as codes have words in either language; what others said stays as it is. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { RULE_FAULTS } from "../../../src/shared/rule-file.ts";
import {
  mentionFailures,
  mentionFailureText,
  noticeText,
  rulesFileFaultText,
} from "../../../src/shared/words/notice-words.ts";
import { translator } from "../../../src/shared/words/task-words.ts";

const words = z.record(z.string(), z.string());
const english = translator({});
const japanese = translator(words.parse(JSON.parse(readFileSync("l10n/bundle.l10n.ja.json", "utf8"))));

describe.each([
  ["English", english, /^[a-z]/],
  ["Japanese", japanese, /[\u3040-\u9fff]/],
])("in %s", (_language, t, own) => {
  it.each(Object.keys(mentionFailures(english, "")))("a mention that fails by %s has words", (code) => {
    const text = mentionFailureText(t, code, "#");
    expect(text).toMatch(own);
    // A detail alone is what an unknown code is said with.
    expect(text).not.toBe("#");
  });

  it("each rules file that cannot be used has words of its own", () => {
    const texts = RULE_FAULTS.map((state) => rulesFileFaultText(t, state));
    for (const text of texts) expect(text).toMatch(own);
    expect(new Set(texts).size).toBe(RULE_FAULTS.length);
  });
});

describe("a notice", () => {
  it("lists each thing with its reason", () => {
    const values = ["@/a.ts", "missing", "", "@/big.log", "too-large", "50", "@https://x", "", "status 500"];
    expect(noticeText(english, "mention-failed", values)).toBe(
      "Not included: @/a.ts (the path does not exist), @/big.log (the file is too large: 50 MB), @https://x (status 500)",
    );
    expect(noticeText(japanese, "mention-failed", values)).toBe(
      "含められませんでした: @/a.ts (存在しません), @/big.log (大きすぎます (50 MB)), @https://x (status 500)",
    );
    const faults = [
      "@/b.ts",
      "no-permission",
      "",
      "@https://y",
      "server-status",
      "404 Not Found",
      "@/c",
      "?",
      "x",
    ];
    expect(noticeText(japanese, "mention-failed", faults)).toBe(
      "含められませんでした: @/b.ts (開く権限がありません), @https://y (サーバーの応答は 404 Not Found でした), @/c (x)",
    );
    const rules = ["AGENTS.md", "too-large", "", "CLAUDE.md", "unreadable", "EIO", "x.md", "unreadable", ""];
    expect(noticeText(english, "rules-left-out", rules)).toBe(
      "These rules were not applied: AGENTS.md (the file is larger than 100 KB), CLAUDE.md (EIO), x.md (the file cannot be read)",
    );
  });
});
