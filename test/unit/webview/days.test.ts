/** What is listed, grouped by the day of the user's calendar. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { translator } from "../../../src/shared/words/task-words.ts";
import { byDay, dayName } from "../../../webview-ui/text/dates.ts";

const english = translator({});
const japanese = translator(JSON.parse(readFileSync("l10n/bundle.l10n.ja.json", "utf8")));

/** In the machine's own time zone, as the user's calendar is. */
const at = (day: number, hour: number) => new Date(2026, 2, day, hour, 30).getTime();
const NOW = at(30, 9);

describe("the name of a day", () => {
  it.each([
    [at(30, 0), "Today"],
    [at(29, 23), "Yesterday"],
    [at(28, 12), "Saturday"],
    [at(24, 12), "Tuesday"],
    [at(23, 12), "March 23, 2026"],
    [at(31, 12), "March 31, 2026"],
  ])("%i is %s", (then, name) => {
    expect(dayName(english, "en", then, NOW)).toBe(name);
  });

  it("is Japanese for Japanese users", () => {
    expect([at(30, 1), at(29, 1), at(28, 1)].map((then) => dayName(japanese, "ja", then, NOW))).toEqual([
      "今日",
      "昨日",
      "土曜日",
    ]);
  });
});

it("groups successive items, and keeps those without a time apart", () => {
  const times = [at(30, 8), at(30, 1), at(29, 8)].map((time) => new Date(time).toISOString());
  const days = byDay([...times, "unknown"], (time) => time, { t: english, language: "en", now: NOW });
  expect(days.map(({ name, items }) => [name, items.length])).toEqual([
    ["Today", 2],
    ["Yesterday", 1],
    ["", 1],
  ]);
});
