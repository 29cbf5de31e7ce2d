import { describe, expect, it } from "vitest";
import { lineChanges } from "../../../webview-ui/text/line-changes.ts";
import { Random } from "../../support/random.ts";

const shown = (before: string, after: string) =>
  lineChanges(before, after).map(
    ({ kind, text }) => `${{ same: " ", added: "+", removed: "-" }[kind]}${text}`,
  );

describe("the lines that changed", () => {
  it("are removed and added in place", () => {
    expect(shown("a\nb\nc", "a\nx\nc\nd")).toEqual([" a", "-b", "+x", " c", "+d"]);
    expect(shown("a", "a")).toEqual([" a"]);
    expect(shown("a\nb\nc\nd", "b\nc\nd\na")).toEqual(["-a", " b", " c", " d", "+a"]);
  });

  it("give both texts back, whatever they are", () => {
    const random = new Random(7);
    const any = () => Array.from({ length: random.below(9) }, () => "abc"[random.below(3)]).join("\n");
    for (let round = 0; round < 300; round++) {
      const [before, after] = [any(), any()];
      const changes = lineChanges(before, after);
      const side = (other: string) =>
        changes.flatMap(({ kind, text }) => (kind === other ? [] : [text])).join("\n");
      expect([side("added"), side("removed")]).toEqual([before, after]);
    }
  });

  it("are everything for texts too long to compare", () => {
    const long = Array.from({ length: 1_001 }, (_, n) => n).join("\n");
    expect(lineChanges(long, long).filter(({ kind }) => kind === "same")).toEqual([]);
  });
});
