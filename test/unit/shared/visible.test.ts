import { describe, expect, it } from "vitest";
import { visible, visibleSegments } from "../../../src/shared/visible.ts";
import { anyText, fc } from "../../support/property.ts";

describe("text with nothing unseen in it", () => {
  it.each([
    ["a zero-width space", "rm\u200b -rf", "rm‹U+200B› -rf"],
    ["a right-to-left override", "a\u202ecod.exe", "a‹U+202E›cod.exe"],
    ["isolates", "\u2066x\u2069", "‹U+2066›x‹U+2069›"],
    ["a byte order mark", "\ufeffls", "‹U+FEFF›ls"],
    ["a tag character", "ls\u{e0041}", "ls‹U+E0041›"],
    ["a variation selector", "a\ufe01", "a‹U+FE01›"],
    ["a Hangul filler", "\u3164", "‹U+3164›"],
    ["a soft hyphen", "a\u00adb", "a‹U+00AD›b"],
    ["a blank Braille pattern", "a\u2800b", "a‹U+2800›b"],
    ["a no-break space", "rm\u00a0x", "rm‹U+00A0›x"],
    ["a narrow space", "rm\u2009x", "rm‹U+2009›x"],
    ["a carriage return", "safe\rrm", "safe‹U+000D›rm"],
    ["an escape", "\u001b[8m", "‹U+001B›[8m"],
    ["a C1 control", "\u009b", "‹U+009B›"],
    ["a line separator", "a\u2028b", "a‹U+2028›b"],
    ["half of a surrogate pair", "a\ud83d", "a‹U+D83D›"],
    ["private use", "\ue000", "‹U+E000›"],
  ])("shows %s", (_, text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it.each(["npm test && ls -la\n\techo 'x'", "猫は液体である。　次へ", "é ñ ü", "👍 🎉", "العربية"])(
    "leaves %j as it is",
    (text) => {
      expect(visible(text)).toBe(text);
      expect(visibleSegments(text)).toEqual([{ text, hidden: false }]);
    },
  );

  it("tells a stand-in from a text that looks like one", () => {
    expect(visibleSegments("‹U+200B›\u200b")).toEqual([
      { text: "‹U+200B›", hidden: false },
      { text: "‹U+200B›", hidden: true },
    ]);
  });

  it("gives the same in pieces as in one, and leaves nothing unseen", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const whole = visible(text);
        expect(
          visibleSegments(text)
            .map((segment) => segment.text)
            .join(""),
        ).toBe(whole);
        expect(visible(whole)).toBe(whole);
      }),
    );
  });
});
