/** Formulas and diagrams of an answer: drawn when they are complete, in the theme's colors, and inert. */
import { describe, expect, it } from "vitest";
import type { EventBody } from "../../src/shared/event.ts";
import { clickOn } from "../support/pointer.ts";
import { session, user } from "./support/events.ts";
import { answer, clipboard, diagrams, drawn, FLOW, fence, formulas } from "./support/rich-answers.ts";
import { host, openPanel, page, picture, servePanels } from "./support/suite.ts";

servePanels({ keepsPanel: true });

const delta = (words: string): EventBody => ({
  type: "delta",
  messageId: "stream",
  block: 0,
  kind: "text",
  delta: words,
});

describe("formulas", () => {
  it("are typeset in a line and on their own, by each delimiter", async () => {
    await answer(
      "The area $\\pi r^2$ and \\(a^2 + b^2\\).\n\n$$\n\\int_0^1 x^2\\,dx = \\frac13\n$$\n\nThen\n\n\\[ E = mc^2 \\]\n\n- in a list $x_1$\n\n| $t$ |\n| - |\n| $\\sqrt{2}$ |\n\n```math\n\\sum_i i\n```",
    );
    await expect.poll(() => formulas().count()).toBe(8);
    await expect.poll(() => page.locator(".math-display").count()).toBe(3);
    await expect.poll(() => page.locator("mfrac").count()).toBe(1);
    await picture("math");
  });

  it("that are at fault show their source and the reason, and load or run nothing", async () => {
    await answer(
      "$\\frac{a$ and $\\includegraphics{http://evil.example/1.png}$ and $\\href{javascript:alert(1)}{x}$",
    );
    const failed = page.locator('[data-testid="math"][data-state="failed"]');
    await expect.poll(() => failed.count()).toBe(3);
    await expect.poll(() => failed.first().textContent()).toBe("$\\frac{a$");
    await expect.poll(() => failed.first().getAttribute("title")).toContain("Unexpected end of input");
    expect(await page.locator("a[href], img").count()).toBe(0);
  });
});

describe("diagrams", () => {
  it("are drawn when their block is complete", async () => {
    host.emit(session(), user("?"), delta("A diagram:\n\n```mermaid\nflowchart TD\n  A --> B"));
    await openPanel();
    await page.locator(".code-text", { hasText: "A --> B" }).waitFor();
    expect(await diagrams().count()).toBe(0);
    host.emit(delta("\n  B --> C\n```\n"));
    await drawn().waitFor();
  });

  it("show their source by a switch, and are copied as SVG and PNG", async () => {
    await answer(fence(FLOW));
    await drawn().waitFor();
    await clickOn(diagrams(), page.getByRole("button", { name: "Copy as SVG" }));
    await expect.poll(clipboard).toMatch(/^<svg [\s\S]*>Pet<[\s\S]*<\/svg>$/);
    await page.getByRole("button", { name: "Copy as PNG" }).click();
    const size = () =>
      page.evaluate(async () => {
        const [item] = await navigator.clipboard.read();
        const blob = item?.types.includes("image/png") ? await item.getType("image/png") : null;
        return blob ? (await createImageBitmap(blob)).width : 0;
      });
    await expect.poll(size).toBeGreaterThan(200);
    await page.getByTestId("diagram-source").click();
    await expect.poll(() => diagrams().locator(".code-text").textContent()).toBe(FLOW);
    await page.getByTestId("diagram-source").click();
    await drawn().waitFor();
  });

  it("cannot bring HTML, links, scripts, styles or addresses into the page", async () => {
    const hostile = [
      'flowchart TD\n  A["<img src=http://evil.example/1.png onerror=alert(1)>"] --> B\n  click A "javascript:alert(1)"\n  click B href "http://evil.example/2"',
      '%%{init: {"securityLevel": "loose", "htmlLabels": true, "themeCSS": "body { display: none }", "flowchart": {"htmlLabels": true}}}%%\nflowchart TD\n  A["<b onclick=alert(1)>x</b>"]\n  style A fill:url(http://evil.example/3)',
      "sequenceDiagram\n  participant A\n  link A: Site @ http://evil.example/4\n  A->>A: <script>alert(1)</script>",
    ];
    await answer(hostile.map(fence).join("\n"), { height: 3_000 });
    await page
      .locator('[data-testid="diagram"]:is([data-state="drawn"], [data-state="failed"])')
      .nth(2)
      .waitFor();
    await expect.poll(() => page.locator('[data-testid="diagram"][data-state="drawing"]').count()).toBe(0);
    for (const source of await drawn().evaluateAll((images) =>
      images.map((each) => each.getAttribute("src")),
    )) {
      const svg = decodeURIComponent(source ?? "");
      expect(svg).toMatch(/^data:image\/svg\+xml/);
      expect(svg).not.toMatch(/javascript:|<script|onerror=|onclick=|href="http|display:\s*none \}/);
    }
    expect(await page.locator("a[href], body > svg, .row svg:not(.icon)").count()).toBe(0);
    await expect.poll(() => page.locator("body").isVisible()).toBe(true);
  });
});
