/** Formulas and diagrams of an answer: drawn when they are complete, in the theme's colors, and inert. */

import { describe, expect, it } from "vitest";
import type { EventBody } from "../../src/shared/event.ts";
import { clickOn } from "../support/pointer.ts";
import { sampled } from "../support/random.ts";
import { DIAGRAMS } from "./support/diagrams.ts";
import { session, text, user } from "./support/events.ts";
import { host, openPanel, page, picture, row, servePanels } from "./support/suite.ts";
import { THEME_NAMES, THEMES } from "./support/themes.ts";

servePanels();

const delta = (words: string): EventBody => ({
  type: "delta",
  messageId: "stream",
  block: 0,
  kind: "text",
  delta: words,
});
const diagrams = () => page.getByTestId("diagram");
const drawn = () => page.locator('[data-testid="diagram"][data-state="drawn"] img');
const formulas = () => page.getByTestId("math").locator("math");
const fence = (source: string) => `\`\`\`mermaid\n${source}\n\`\`\`\n`;
const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
const LABELED = "classDiagram\n  Cat --> Toy : plays with\n  Cat --> Food : eats";
const FLOW = DIAGRAMS.flowchart ?? "";

async function answer(words: string, options: Parameters<typeof openPanel>[0] = {}): Promise<void> {
  host.emit(session(), user("?"), text(words));
  await openPanel(options);
  await row("text").first().waitFor();
}

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

  it("are neither amounts of money, variables of a shell, nor code", async () => {
    await answer(
      "It costs $5 and $6, or $5/$6, not US$7 and AU$8. Set $HOME and $PATH or $A/$B. `$x$` and \\$y\\$.\n\n```sh\necho $a $b$\n```\n\nOne is $x$.",
    );
    await expect.poll(() => formulas().count()).toBe(1);
    await expect
      .poll(() => row("text").textContent())
      .toContain("It costs $5 and $6, or $5/$6, not US$7 and AU$8.");
    await expect.poll(() => row("text").textContent()).toContain("$HOME and $PATH or $A/$B.");
  });

  it("are copied as their source", async () => {
    await answer("Before $\\frac{a}{b}$ after.\n\n$$\nx^2\n$$");
    await expect.poll(() => formulas().count()).toBe(2);
    await row("text").evaluate((element) => getSelection()?.selectAllChildren(element));
    await page.keyboard.press("Control+C");
    await expect.poll(clipboard).toContain("Before $\\frac{a}{b}$ after.");
    expect(await clipboard()).toContain("$$x^2$$");
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
  it("of each kind are drawn under the content policy, without asking for anything", async () => {
    const kinds = sampled(Object.entries(DIAGRAMS), 4);
    await answer(kinds.map(([, source]) => fence(source)).join("\n"), { width: 600, height: 20_000 });
    await expect.poll(() => drawn().count(), { timeout: 60_000 }).toBe(kinds.length);
    await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode())));
    for (const [number, [kind]] of kinds.entries()) await picture(`diagram-${kind}`, diagrams().nth(number));
  });

  it("are drawn when their block is complete", async () => {
    host.emit(session(), user("?"), delta("A diagram:\n\n```mermaid\nflowchart TD\n  A --> B"));
    await openPanel();
    await page.locator(".code-text", { hasText: "A --> B" }).waitFor();
    expect(await diagrams().count()).toBe(0);
    host.emit(delta("\n  B --> C\n```\n"));
    await drawn().waitFor();
  });

  it("have the colors of the theme, and get those of the next one", async () => {
    await answer(fence(FLOW), { theme: "dark" });
    await drawn().waitFor();
    const colors = async () => decodeURIComponent((await drawn().getAttribute("src")) ?? "");
    expect(await colors()).toContain(THEMES.dark.variables["--vscode-foreground"]);
    await page.evaluate((variables) => {
      for (const [name, value] of Object.entries(variables)) {
        document.documentElement.style.setProperty(name, value);
      }
      document.body.className = "vscode-light";
    }, THEMES.light.variables);
    await expect.poll(colors).toContain(THEMES.light.variables["--vscode-foreground"]);
  });

  it.each(sampled(THEME_NAMES, THEME_NAMES.length))(
    "have labels on an opaque ground, so that no line crosses the text (%s)",
    async (theme) => {
      const kinds = ["flowchart", "state", "class", "er"] as const;
      const sources = [...kinds.map((kind) => DIAGRAMS[kind] ?? ""), LABELED];
      await answer(sources.map(fence).join("\n"), { theme, height: 3_000 });
      await expect.poll(() => drawn().count()).toBe(sources.length);
      await picture(`diagram-labels-${theme}`);
      const pictures = await drawn().evaluateAll((images) =>
        images.map((image) => decodeURIComponent(image.getAttribute("src") ?? "").replace(/^[^,]*,/, "")),
      );
      const ground = await page.evaluate(() =>
        getComputedStyle(document.documentElement).getPropertyValue("--vscode-sideBar-background").trim(),
      );
      const sheet = await page.context().newPage();
      await sheet.setContent(pictures.join("\n"));
      const grounds = await sheet.evaluate((ground) => {
        const wanted = document.createElement("p");
        wanted.style.color = ground;
        document.body.append(wanted);
        const { color } = getComputedStyle(wanted);
        const labels = [...document.querySelectorAll<SVGElement>(".edgeLabel rect")];
        return labels.map((label) => {
          const { fill, opacity, fillOpacity } = getComputedStyle(label);
          return fill === color && opacity === "1" && fillOpacity === "1" ? "opaque" : `${fill} ${opacity}`;
        });
      }, ground);
      await sheet.close();
      expect(grounds.length).toBeGreaterThan(6);
      expect(new Set(grounds)).toEqual(new Set(["opaque"]));
    },
  );

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

  it("are zoomed by buttons, by keys and by the wheel with Ctrl", async () => {
    await answer(fence(FLOW));
    await drawn().waitFor();
    const width = async () => Math.round((await drawn().boundingBox())?.width ?? 0);
    const fit = await width();
    await clickOn(diagrams(), page.getByTestId("diagram-zoom-in"));
    await expect.poll(width).toBeGreaterThan(fit * 1.2);
    await page.getByTestId("diagram-fit").click();
    await expect.poll(width).toBe(fit);
    await page.getByRole("group", { name: "Diagram" }).focus();
    await page.keyboard.press("-");
    await expect.poll(width).toBeLessThan(fit);
    await page.keyboard.press("0");
    await expect.poll(width).toBe(fit);
    await page.locator(".diagram-view").hover();
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, -240);
    await page.keyboard.up("Control");
    await expect.poll(width).toBeGreaterThan(fit * 1.9);
  });

  it("that are at fault keep their source and say why", async () => {
    await answer(fence("flowchart TD\n  A --> --> B"));
    await page.locator('[data-testid="diagram"][data-state="failed"]').waitFor();
    await expect.poll(() => diagrams().textContent()).toContain("A --> --> B");
    await expect.poll(() => diagrams().textContent()).toMatch(/This diagram cannot be drawn: .*line 2/);
    expect(await page.locator("body > :is([id^=d], .diagram-place)").count()).toBe(0);
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
