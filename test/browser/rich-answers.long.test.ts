/** Kinds, looks and zoom of formulas and diagrams. rich-answers.test.ts has that they are drawn, copied and inert. */
import { describe, expect, it } from "vitest";
import { clickOn } from "../support/pointer.ts";
import { sampled } from "../support/random.ts";
import { DIAGRAMS } from "./support/diagrams.ts";
import { answer, clipboard, diagrams, drawn, FLOW, fence, formulas } from "./support/rich-answers.ts";
import { page, picture, row, servePanels } from "./support/suite.ts";
import { THEME_NAMES, THEMES } from "./support/themes.ts";

servePanels();

const LABELED = "classDiagram\n  Cat --> Toy : plays with\n  Cat --> Food : eats";

describe("formulas", () => {
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
});

describe("diagrams", () => {
  it("of each kind are drawn under the content policy, without asking for anything", async () => {
    const kinds = sampled(Object.entries(DIAGRAMS), 4);
    await answer(kinds.map(([, source]) => fence(source)).join("\n"), { width: 600, height: 20_000 });
    await expect.poll(() => drawn().count(), { timeout: 60_000 }).toBe(kinds.length);
    await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode())));
    for (const [number, [kind]] of kinds.entries()) await picture(`diagram-${kind}`, diagrams().nth(number));
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
});
