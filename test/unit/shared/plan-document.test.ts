import { expect, it } from "vitest";
import { type PlanStart, planStartIn, planStartText, planTitle } from "../../../src/shared/plan-document.ts";

it("a plan begins with a heading of the first level", () => {
  expect(planTitle("# Paint the cat #\n\ntext")).toBe("Paint the cat");
  expect(planTitle("\n\n  # 猫を塗る")).toBe("猫を塗る");
  for (const text of [
    "",
    "It is a cat.",
    "## Steps",
    "#hashtag",
    "text\n# Later",
    "# ",
    `${" ".repeat(2_000)}# x`,
  ])
    expect(planTitle(text)).toBeUndefined();
  expect(planTitle(`# ${"x".repeat(10_000_000)}`)).toHaveLength(120);
});

it.each<[string, PlanStart | undefined]>([
  ["/start", { place: "here" }],
  [" /start  new ", { place: "new" }],
  ["/start worktree model a/b agent c", { place: "worktree", model: "a/b", agent: "c" }],
  ["/start the engine", undefined],
  ["/start model", undefined],
  ["/starter", undefined],
  ["do /start", undefined],
])("%j is read as %j", (text, start) => {
  expect(planStartIn(text)).toEqual(start);
  if (start) expect(planStartIn(planStartText(start))).toEqual(start);
});
