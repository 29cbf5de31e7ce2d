/** Code blocks: the colors of the theme, and their buttons. */
import { describe, expect, it } from "vitest";
import { clickOn } from "../support/pointer.ts";
import { answer, TS } from "./support/code-blocks.ts";
import { host, page, picture, servePanels } from "./support/suite.ts";

servePanels({ keepsPanel: true });

const DIFF = "```diff\n-old line\n+new line\n```\n";

const color = (selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => getComputedStyle(element).color);

/** Red, green and blue as shares. */
const channels = (selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const context = new OffscreenCanvas(1, 1).getContext("2d");
      if (!context) throw new Error("the browser has no canvas");
      context.fillStyle = getComputedStyle(element).color;
      context.fillRect(0, 0, 1, 1);
      return [...context.getImageData(0, 0, 1, 1).data];
    });

describe("colors of code", () => {
  it("are those of the theme, and change with it", async () => {
    host.colors = { keyword: "#112233", string: "#445566", comment: "#778899" };
    await answer(TS);
    await expect.poll(() => color(".hljs-keyword")).toBe("rgb(17, 34, 51)");
    expect(await color(".hljs-string")).toBe("rgb(68, 85, 102)");
    expect(await color(".hljs-comment")).toBe("rgb(119, 136, 153)");
    host.colors = { keyword: "#abcdef" };
    await page.evaluate(() => document.body.setAttribute("data-vscode-theme-id", "Another"));
    await expect.poll(() => color(".hljs-keyword")).toBe("rgb(171, 205, 239)");
    expect(host.named("answer/colors").at(-1)).toEqual({ theme: "Another" });
    expect(host.named("answer/colors")).toHaveLength(2);
  });

  for (const theme of ["dark", "light", "high-contrast", "high-contrast-light"] as const) {
    it(`tell keywords, texts and comments apart where the theme cannot be read: ${theme}`, async () => {
      await answer(TS + DIFF, { theme });
      await page.locator(".hljs-addition").waitFor();
      const plain = await color(".code-text code");
      const kinds = await Promise.all(
        [".hljs-keyword", ".hljs-string", ".hljs-comment", ".hljs-number"].map(color),
      );
      expect(new Set([plain, ...kinds]).size).toBe(5);
      const [red = 0, green = 0] = await channels(".hljs-addition");
      expect(green).toBeGreaterThan(red);
      const [removedRed = 0, removedGreen = 0] = await channels(".hljs-deletion");
      expect(removedRed).toBeGreaterThan(removedGreen);
      await picture(`code-${theme}`);
    });
  }
});

describe("buttons of a code block", () => {
  it("insert the code, open it as a file, and wrap its lines", async () => {
    await answer(TS);
    await clickOn(page.locator(".code"), page.getByTestId("code-insert"));
    await page.getByTestId("code-new-file").click();
    const code = '// A cat.\nconst cat: Cat = new Cat("neko", 3);\nreturn cat.purr();';
    await expect.poll(() => host.named("answer/new-file")).toEqual([{ text: code, language: "ts" }]);
    expect(host.named("answer/insert")).toEqual([{ text: code }]);
    expect(await page.getByTestId("code-run").count()).toBe(0);
    await page.getByTestId("code-wrap").click();
    await expect
      .poll(() => page.locator(".code-text").evaluate((el) => getComputedStyle(el).whiteSpace))
      .toBe("pre-wrap");
    await picture("code-tools");
  });

  it("run the commands of a shell's block, without prompts and output", async () => {
    await answer(
      "```bash\nnpm test\nnpm run build\n```\n\n```console\n$ git status\nOn branch main\n$ git log\n```\n",
    );
    for (const index of [0, 1]) {
      const code = page.locator(".code").nth(index);
      await clickOn(code, code.getByTestId("code-run"));
    }
    await expect
      .poll(() => host.named("answer/run"))
      .toEqual([{ command: "npm test\nnpm run build" }, { command: "git status\ngit log" }]);
  });
});
