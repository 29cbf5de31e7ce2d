/** While an answer streams, nothing but its row renders, and what is drawn late does not move what the user reads. */
import { describe, expect, it } from "vitest";
import { session, text, user } from "./support/events.ts";
import { countRenders, rendersOf } from "./support/renders.ts";
import { drawn, holdLine, wheelUp } from "./support/scroll.ts";
import { box, delta, diagram, FLOW, PARAGRAPHS } from "./support/steady-answers.ts";
import { host, openPanel, page, row, servePanels } from "./support/suite.ts";

servePanels();

/** Remembers the paragraph in the middle of what is in sight; returns by how many pixels it has moved since. */
async function holdMiddle(): Promise<() => Promise<number>> {
  // A part of an answer that came into sight has an estimated height until the next frame, and its paragraphs are elsewhere.
  await drawn(page);
  const line = await box().evaluateHandle((el) => {
    const { top, height, bottom } = el.getBoundingClientRect();
    const found = [...el.querySelectorAll("p")].find((p) => p.getBoundingClientRect().top > top + height / 2);
    if (
      !found?.checkVisibility({ contentVisibilityAuto: true }) ||
      found.getBoundingClientRect().top > bottom
    )
      throw new Error("no paragraph is in sight");
    return found;
  });
  return holdLine(line);
}

describe("a streaming answer", () => {
  it("renders no row but its own, also with formulas, diagrams and code", async () => {
    host.emit(session());
    for (let count = 0; count < 8; count++)
      host.emit(user(`Question ${count}`), text(`Answer $x_${count}$.\n\n${FLOW}`));
    host.emit(user("Now"), delta("It begins.\n\n"));
    await openPanel({ prepare: countRenders });
    await row("text").last().getByText("It begins.").waitFor();
    await diagram().last().waitFor();
    await drawn(page);
    const before = await rendersOf(page);
    expect(Object.keys(before).length).toBeGreaterThan(10);
    for (const piece of [
      "Then $a",
      "^2$ and\n\n",
      "```mermaid\n",
      "flowchart TD\n  A --> B\n",
      "```\n\n",
      "```ts\nconst a = 1;\n```\n\n",
      "| a |\n| - |\n| 1 |\n",
    ]) {
      host.emit(delta(piece));
      await drawn(page);
    }
    await row("text").last().locator("table").waitFor();
    await row("text").last().locator('[data-state="drawn"]').waitFor();
    const live = await row("text").last().getAttribute("data-row");
    const { [live ?? ""]: own = 0, ...others } = await rendersOf(page);
    expect(own).toBeGreaterThanOrEqual(7);
    expect(others).toEqual({});
  });

  it("does not move what the user reads above it", async () => {
    host.emit(session(), user("?"), delta(PARAGRAPHS));
    await openPanel();
    await row("text").locator("p").last().waitFor();
    await wheelUp(box(), 1_500);
    const moved = await holdMiddle();
    host.emit(delta(`$$\\frac{a}{b}$$\n\n${FLOW}${PARAGRAPHS}`));
    await row("text").locator("p").nth(100).waitFor({ state: "attached" });
    await drawn(page);
    expect(await moved()).toBe(0);
  });
});

it("a diagram and formulas that are drawn above what the user reads do not move it", async () => {
  host.emit(session(), user("?"), text(`${FLOW}$$\\frac{a}{b}$$\n\n${PARAGRAPHS}`));
  await openPanel({ height: 500 });
  await row("text").locator("p").last().waitFor();
  // The diagram is too far away to be drawn.
  expect(await diagram().count()).toBe(0);
  const top = await page.getByTestId("diagram").evaluate((el) => el.getBoundingClientRect().bottom);
  await wheelUp(box(), -top - 300);
  const moved = await holdMiddle();
  await diagram().waitFor({ state: "attached" });
  await drawn(page);
  expect(await moved()).toBe(0);
  const bottom = await page.getByTestId("diagram").evaluate((el) => el.getBoundingClientRect().bottom);
  expect(bottom).toBeLessThan(0);
});
