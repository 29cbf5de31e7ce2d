import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { translator } from "../../../src/shared/words/task-words.ts";
import { relativeDate } from "../../../webview-ui/text/dates.ts";

const english = translator({});
const japanese = translator(JSON.parse(readFileSync("l10n/bundle.l10n.ja.json", "utf8")));
const NOW = Date.parse("2025-06-15T12:00:00Z");
const ago = (seconds: number, language = "en") =>
  relativeDate(
    language === "ja" ? japanese : english,
    language,
    new Date(NOW - seconds * 1_000).toISOString(),
    NOW,
  );

it("says how long ago, and the date from a month on", () => {
  expect([ago(5), ago(-60), ago(90), ago(7_300), ago(86_400), ago(3 * 86_400)]).toEqual([
    ...["now", "now", "1 minute ago", "2 hours ago", "yesterday", "3 days ago"],
  ]);
  expect([ago(150), ago(3_600)]).toEqual(["2 minutes ago", "1 hour ago"]);
  expect(ago(45 * 86_400)).toBe("May 1, 2025");
  expect(ago(7_300, "ja")).toBe("2 時間前");
  expect(relativeDate(english, "en", "no time", NOW)).toBe("no time");
});
