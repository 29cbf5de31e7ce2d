/** The words for servers that failed, in the notices and lists of people. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { noticeText } from "../../../src/shared/words/notice-words.ts";
import { mcpWords, signInWords } from "../../../src/shared/words/reasons/mcp-reasons.ts";
import { reasonWords } from "../../../src/shared/words/reasons/reasons.ts";
import { translator } from "../../../src/shared/words/task-words.ts";

const japanese = translator(JSON.parse(readFileSync("l10n/bundle.l10n.ja.json", "utf8")));
const english = translator({});
const codes = [...Object.keys(mcpWords), ...Object.keys(signInWords)];

describe("the words for servers that failed", () => {
  it.each(codes)("exist in both languages for %s, as a clause with its value", (code) => {
    const value = "the value";
    const [inEnglish, inJapanese] = [english, japanese].map((t) => reasonWords(t, { code, values: [value] }));
    expect(inEnglish).not.toContain(code);
    expect(inEnglish).not.toMatch(/\.$/);
    expect(inJapanese).toMatch(/[ぁ-ん]/);
    expect(inJapanese).not.toMatch(/。$/);
    expect(inJapanese?.includes(value)).toBe(inEnglish?.includes(value));
  });

  it("mark what the server said as its words", () => {
    const said = { code: "mcp-error", values: ["-32000: out of cats"] };
    expect(reasonWords(english, said)).toBe("the server answered with an error: “-32000: out of cats”");
    expect(reasonWords(japanese, said)).toContain("サーバーからのメッセージ:「-32000: out of cats」");
  });

  it("are part of notices, with what the server printed last", () => {
    const values = ["db", "mcp-exit-code", "3", "no database"];
    expect(noticeText(english, "server-ended", values)).toBe(
      "The MCP server db ended unexpectedly. It is restarted when it is needed. Reason: the server exited with code 3\nThe server's last output:\nno database",
    );
    expect(noticeText(japanese, "server-gave-up", values)).toMatch(
      /理由: サーバーがコード 3 で終了しました\nサーバーの最後の出力:\nno database$/,
    );
    // As older versions stored it.
    expect(noticeText(english, "server-ended", ["db", "it crashed"])).toMatch(/Reason: it crashed$/);
  });
});
