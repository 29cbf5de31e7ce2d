/** Naming things: the `@` picker, the chips of what is named, and what is dropped on the panel. */
import { beforeEach, describe, expect, it } from "vitest";
import type { FileHit } from "../../src/shared/protocol.ts";
import { commit, compose, composingEnter } from "./support/ime.ts";
import { files, value } from "./support/mentions.ts";
import { focused, host, input, openPanel, page, picture, servePanels } from "./support/suite.ts";

servePanels({ keepsPanel: true });

beforeEach(async () => {
  await openPanel();
  await input().click();
});

describe("the @ picker", () => {
  it("is steered by keys, and writes the path", async () => {
    host.find = async (query) =>
      files("neko.txt", "src/", "my notes.md").filter((hit) => hit.path.includes(query));
    await page.keyboard.type("see @");
    await page.getByTestId("mention-option").nth(12).waitFor();
    // What is no file stands first while nothing is typed.
    for (let i = 0; i < 10; i++) await page.keyboard.press("ArrowDown");
    await expect.poll(() => page.getByTestId("mention-menu").getAttribute("role")).toBe("listbox");
    const selected = page.locator('[data-testid=mention-option][aria-selected="true"]');
    await expect.poll(() => selected.textContent()).toBe("neko.txt");
    for (let i = 0; i < 11; i++) await page.keyboard.press("ArrowUp");
    await expect.poll(() => selected.textContent()).toBe("my notes.md");
    await expect
      .poll(() => input().getAttribute("aria-activedescendant"))
      .toBe(await selected.getAttribute("id"));
    await page.keyboard.press("Enter");
    await expect.poll(value).toBe('see @"/my notes.md" ');
    await expect.poll(() => page.getByTestId("mention-menu").count()).toBe(0);
    expect(host.named("chat/send")).toEqual([]);
    await page.keyboard.type("@nek");
    await expect.poll(() => page.getByTestId("mention-option").count()).toBe(1);
    await page.keyboard.press("Tab");
    await expect.poll(value).toBe('see @"/my notes.md" @/neko.txt ');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("data-testid")))
      .toBe("chat-input");
  });

  it("is chosen from by mouse, the focus staying", async () => {
    host.find = async () => files("a.ts", "b.ts");
    await page.keyboard.type("@");
    await page.getByTestId("mention-option").filter({ hasText: "b.ts" }).click();
    await expect.poll(value).toBe("@/b.ts ");
    await page.keyboard.type("x");
    await expect.poll(value).toBe("@/b.ts x");
  });

  it("takes an Enter that comes before the answer as a choice, not as sending", async () => {
    let answer: (hits: FileHit[]) => void = () => {};
    host.find = (query) =>
      query === "nek" ? new Promise((resolve) => (answer = resolve)) : Promise.resolve([]);
    await page.keyboard.type("@nek");
    await page.keyboard.press("Enter");
    await expect.poll(() => host.named("files/find").at(-1)?.query).toBe("nek");
    answer(files("neko.txt"));
    await expect.poll(value).toBe("@/neko.txt ");
    expect(host.named("chat/send")).toEqual([]);
  });

  it("does not choose on the Enter that ends a composition", async () => {
    host.find = async () => files("猫.txt");
    await page.keyboard.type("@");
    await page.getByTestId("mention-option").last().waitFor();
    await compose("ねこ");
    await composingEnter(229);
    await composingEnter(13);
    await expect.poll(value).toBe("@ねこ");
    await commit("猫");
    await expect.poll(value).toBe("@猫");
    await expect.poll(() => page.getByTestId("mention-option").count()).toBe(1);
    await page.keyboard.press("Enter");
    await expect.poll(value).toBe("@/猫.txt ");
  });
});

describe("a chip", () => {
  const chips = () => page.getByTestId("mention-chip");

  it("stands for each mention in the draft, once it is typed out", async () => {
    await page.keyboard.type("see @/src/deep/neko.txt");
    await expect.poll(() => chips().count()).toBe(0);
    await page.keyboard.type(' and @lib:"/my docs/" @problems a@b.c `@/no.ts` @https://example.com/x/ ');
    await expect
      .poll(() => chips().allTextContents())
      .toEqual([...["neko.txt", "my docs/", "Problems", "example.com/x"]]);
    await expect.poll(() => chips().first().getAttribute("title")).toBe("src/deep/neko.txt");
  });

  it("is taken out by mouse or key, its words with it, and undo brings them back", async () => {
    await page.keyboard.type("see @/a.ts and @/b.ts too");
    await page.getByRole("button", { name: "Remove a.ts" }).click();
    await expect.poll(value).toBe("see and @/b.ts too");
    await expect.poll(() => focused()).toBe("chat-input");
    await page.keyboard.press("Control+z");
    await expect.poll(value).toBe("see @/a.ts and @/b.ts too");
    // Without Escape, Shift+Tab in the message field chooses the next agent.
    await page.keyboard.press("Escape");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Delete");
    await expect.poll(value).toBe("see @/a.ts and too");
    await expect.poll(() => focused()).toBe("chat-input");
    await expect.poll(() => chips().allTextContents()).toEqual(["a.ts"]);
  });

  it("leaves a composition, a selection and a paste as they are", async () => {
    await page.keyboard.type("@/a.ts ");
    await compose("ねこ");
    await expect.poll(() => chips().count()).toBe(1);
    await commit("猫");
    await expect.poll(value).toBe("@/a.ts 猫");
    await page.evaluate(() => navigator.clipboard.writeText("@/b.ts x"));
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Control+v");
    await expect.poll(value).toBe("@/b.ts x");
    await page.keyboard.press("Control+z");
    await expect.poll(value).toBe("@/a.ts 猫");
    await page.keyboard.press("Shift+Home");
    await page.keyboard.type("y");
    await expect.poll(() => chips().count()).toBe(0);
  });
});

describe("what is dropped", () => {
  /** Real drag events with a real DataTransfer, as Chromium makes them. */
  async function drag(
    name: "dragenter" | "drop",
    carried: Record<string, string>,
    file?: string,
  ): Promise<void> {
    await page.evaluate(
      ([name, carried, file]) => {
        const data = new DataTransfer();
        for (const [type, text] of Object.entries(carried)) data.setData(type, text);
        const type = file?.endsWith(".png") ? "image/png" : "text/plain";
        if (file !== undefined)
          data.items.add(new File([Uint8Array.from([137, 80, 78, 71])], file, { type }));
        const event = new DragEvent(name, { dataTransfer: data, bubbles: true, cancelable: true });
        document.querySelector(".composer")?.dispatchEvent(event);
      },
      [name, carried, file] as const,
    );
  }

  it("from the editor becomes mentions at the cursor; what cannot be is said", async () => {
    host.mention = () => ({ mentions: ["@/neko.txt", '@"/my notes/"'], problems: ["/etc/hosts is gone."] });
    await page.keyboard.type("see ");
    const uris = "file:///w/neko.txt\r\nfile:///w/my%20notes\r\nfile:///etc/hosts";
    await drag("dragenter", { "application/vnd.code.uri-list": uris });
    await page.getByTestId("drop-zone").getByText("mention").waitFor();
    await drag("drop", { "application/vnd.code.uri-list": uris });
    expect(await host.called("files/mention")).toEqual({ uris: uris.split("\r\n") });
    await expect.poll(value).toBe('see @/neko.txt @"/my notes/" ');
    await page.getByText("/etc/hosts is gone.").waitFor();
    await expect.poll(() => page.getByTestId("drop-zone").count()).toBe(0);
    await expect.poll(() => focused()).toBe("chat-input");
  });

  it("is read from the other forms that editors use", async () => {
    await drag("drop", { resourceurls: JSON.stringify(["file:///w/a.ts", 1]) });
    expect(await host.called("files/mention")).toEqual({ uris: ["file:///w/a.ts"] });
    await drag("drop", { "text/uri-list": "# a comment\r\nfile:///w/b.ts" });
    expect(await host.called("files/mention", 2)).toEqual({ uris: ["file:///w/b.ts"] });
  });

  it("from the system goes along: an image as one, anything else as a mention, or with a reason why not", async () => {
    await drag("drop", {}, "cat.png");
    await page.getByRole("img", { name: "Image 1" }).waitFor();
    await drag("drop", {}, "notes.txt");
    expect(await host.called("files/give")).toEqual({ name: "notes.txt", data: "iVBORw==" });
    await expect.poll(value).toBe("@file:///tmp/notes.txt ");
    host.given = (name) => ({
      mentions: [],
      problems: [`${name} cannot be attached: the content is not text`],
    });
    await drag("drop", {}, "a.zip");
    await page.getByText("a.zip cannot be attached: the content is not text").waitFor();
    await expect.poll(() => page.getByRole("img").count()).toBe(1);
    expect(host.named("files/mention")).toEqual([]);
    expect(await page.getByText("The action failed").count()).toBe(0);
    await picture("refused-drop");
    await page.keyboard.type("so");
    await expect.poll(() => page.getByTestId("refusal").count()).toBe(0);
  });
});

describe("symbols", () => {
  it("are found by # and by @, and mentioned with their file", async () => {
    host.symbols = [
      { mention: "@/src/cat.ts#Cat", path: "src/cat.ts", name: "Cat", line: 1 },
      { mention: "@/src/cat.ts#Cat.meow", path: "src/cat.ts", name: "Cat.meow", line: 3 },
    ];
    await input().click();
    await page.keyboard.type("explain #");
    await page.getByTestId("mention-option").nth(1).waitFor();
    await page.keyboard.type("meow");
    await expect
      .poll(() => page.getByTestId("mention-option").allTextContents())
      .toEqual(["Cat.meowsrc/cat.ts:3"]);
    await page.keyboard.press("Enter");
    await expect.poll(() => input().inputValue()).toBe("explain @/src/cat.ts#Cat.meow ");
    await expect.poll(() => page.getByTestId("mention-chip").allTextContents()).toEqual(["Cat.meow"]);
    await page.keyboard.type("and @cat");
    await page.getByTestId("mention-option").filter({ hasText: "Cat.meow" }).click();
    await expect
      .poll(() => input().inputValue())
      .toBe("explain @/src/cat.ts#Cat.meow and @/src/cat.ts#Cat.meow ");
    // Among other things, no language server is started for them; where the user looks for nothing else, it is.
    expect(host.named("symbols/find").map(({ query, starts }) => [query, starts ?? false])).toEqual(
      expect.arrayContaining([
        ["meow", true],
        ["cat", false],
      ]),
    );
    await input().fill("");
    await page.keyboard.type("@symb");
    await page.getByTestId("mention-option").filter({ hasText: "Symbols…" }).click();
    await expect.poll(() => input().inputValue()).toBe("@#");
    await page.keyboard.type("meow");
    await page.getByTestId("mention-option").filter({ hasText: "Cat.meow" }).click();
    await expect.poll(() => input().inputValue()).toBe("@/src/cat.ts#Cat.meow ");
    // A heading is none.
    await input().fill("");
    await page.keyboard.type("# ");
    await page.getByTestId("mention-menu").waitFor({ state: "detached" });
  });
});
