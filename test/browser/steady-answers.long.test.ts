/** What is drawn late at the end of an answer. steady-answers.test.ts has what is drawn above what the user reads. */
import { describe, expect, it } from "vitest";
import { session, user } from "./support/events.ts";
import { box, delta, diagram, FLOW, PARAGRAPHS } from "./support/steady-answers.ts";
import { host, openPanel, page, row, servePanels } from "./support/suite.ts";

servePanels();

describe("a streaming answer", () => {
  it("stays at its end while formulas and diagrams appear", async () => {
    host.emit(session(), user("?"), delta(PARAGRAPHS));
    await openPanel();
    await row("text").locator("p").last().waitFor();
    host.emit(delta(`A formula $$\\frac{a}{b}$$\n\n${FLOW}The end.`));
    await diagram().waitFor();
    await page.locator("mfrac").waitFor();
    await expect
      .poll(() => box().evaluate((el) => Math.round(el.scrollHeight - el.scrollTop - el.clientHeight)))
      .toBeLessThanOrEqual(1);
  });
});
