/** Rarer uses and looks of the search. find.test.ts has matches, folds, the keys and the way back. */
import { describe, expect, it } from "vitest";
import type { Message } from "../../src/shared/message.ts";
import { sampled } from "../support/random.ts";
import { findings } from "./support/axe.ts";
import { japanese } from "./support/boot.ts";
import { text, user } from "./support/events.ts";
import { count, field, find, marks, open, PARAGRAPH } from "./support/find.ts";
import { RealHost } from "./support/real-host.ts";
import {
  page as fakePage,
  focused,
  host,
  input,
  overflow,
  panelServer,
  picture,
  servePanels,
  showScreen,
} from "./support/suite.ts";
import type { ThemeName } from "./support/themes.ts";

servePanels();

const looks: [ThemeName, number, "en" | "ja"][] = [
  ["light", 250, "ja"],
  ["dark", 340, "en"],
  ["high-contrast", 600, "en"],
  ["high-contrast-light", 250, "en"],
];

describe("Ctrl+F", () => {
  it("follows what is said meanwhile, and stays at its match", async () => {
    await open([user("A cat"), text(`${PARAGRAPH.repeat(10)}Another cat.`)]);
    await find("cat");
    await expect.poll(() => count(fakePage)).toBe("1 of 2");
    host.emit(user("And one more cat"), text("No."), { type: "status", status: "idle" });
    await expect.poll(() => count(fakePage)).toBe("1 of 3");
    await expect.poll(() => marks(fakePage)).toEqual({ all: 3, current: "cat", seen: true });
  });

  it("stays at its match with each further letter that is typed, while it matches", async () => {
    const turns = Array.from({ length: 8 }, (_, i) => [
      user(`Question ${i}`),
      text(`The zebra${i === 7 ? "s" : ""}. ${PARAGRAPH.repeat(3)}`),
    ]);
    await open(turns.flat());
    await find("z");
    await expect.poll(() => count(fakePage)).toMatch(/ of 8$/);
    await expect.poll(async () => (await marks(fakePage)).seen).toBe(true);
    const first = await count(fakePage);
    // It was above what was in sight, and going there showed the one before it.
    expect(first).toMatch(/^[2-7] /);
    for (const words of ["ze", "zeb", "zebr", "zebra"]) {
      await field(fakePage).press(words.at(-1) ?? "");
      await expect.poll(() => marks(fakePage)).toMatchObject({ current: words, seen: true });
      expect(await count(fakePage)).toBe(first);
    }
    // On to the next one where it matches no more.
    await field(fakePage).press("s");
    await expect.poll(() => marks(fakePage)).toEqual({ all: 1, current: "zebras", seen: true });
    expect(await count(fakePage)).toBe("1 of 1");
  });

  it("keeps the letters that are typed before the next frame is drawn", async () => {
    await open([user("A zebra"), text("One zebra.")]);
    await fakePage.evaluate(() => {
      const frames: FrameRequestCallback[] = [];
      const draw = window.requestAnimationFrame;
      Reflect.set(window, "drawFrames", () => {
        window.requestAnimationFrame = draw;
        for (const frame of frames) frame(0);
      });
      window.requestAnimationFrame = (frame) => frames.push(frame);
    });
    await fakePage.keyboard.press("Control+f");
    await expect.poll(focused).toBe("find-input");
    await fakePage.keyboard.type("z");
    await fakePage.evaluate(() => Reflect.get(window, "drawFrames")());
    await fakePage.keyboard.type("e");
    await expect.poll(() => field(fakePage).inputValue()).toBe("ze");
  });

  it("begins with the selected text, and asks again on the same key", async () => {
    await open([user("A zebra"), text("One **zebra** and one cat.")]);
    await fakePage.locator("strong").dblclick();
    await fakePage.keyboard.press("Control+f");
    await expect.poll(() => field(fakePage).inputValue()).toBe("zebra");
    await expect.poll(() => count(fakePage)).toMatch(/ of 2$/);
    await input().focus();
    await fakePage.keyboard.press("Control+f");
    await expect.poll(focused).toBe("find-input");
    await fakePage.keyboard.type("cat");
    await expect.poll(() => count(fakePage)).toBe("1 of 1");
  });

  it("is what the command opens, and does nothing over another screen", async () => {
    await open([user("A zebra"), text("Hm.")]);
    showScreen("history");
    await fakePage.getByTestId("history-search").waitFor();
    await fakePage.keyboard.press("Control+f");
    expect(await field(fakePage).count()).toBe(0);
    showScreen("find");
    await expect.poll(focused).toBe("find-input");
  });
});

describe.each(sampled(looks, looks.length))("the field: %s, %i px, %s", (theme, width, language) => {
  it("fits, and axe has nothing against it", async () => {
    await open([user("猫 cat"), text(`A **cat** and a cat. ${PARAGRAPH}`), user("cat cat")], {
      ...{ theme, width },
      ...(language === "ja" ? { boot: japanese } : {}),
    });
    for (const words of ["cat", "zebra"]) {
      await find(words);
      await expect.poll(() => count(fakePage)).not.toBe("");
      await fakePage.waitForLoadState("networkidle");
      await picture(`find-${words}-${theme}-${width}`);
      expect(await findings(fakePage)).toEqual([]);
      await expect.poll(overflow).toBe(0);
    }
  });
});

describe("a long session", () => {
  it("is searched in all its messages, and loads up to the match that is shown", async () => {
    const messages = Array.from({ length: 450 }, (_, i): Message[] => [
      { id: `u${i}`, role: "user", createdAt: "", display: `Question ${i}.`, blocks: [] },
      {
        ...{ id: `a${i}`, role: "assistant", createdAt: "" },
        blocks: [{ type: "text", text: `Answer **${i}**. ${i % 150 === 7 ? "A rare word." : PARAGRAPH}` }],
      },
    ]).flat();
    const real = await RealHost.start({ turns: [] });
    const id = await real.store("The long one", messages);
    await real.agent.view.open(id);
    const panel = await (await panelServer()).open({ host: real });
    const { page } = panel;
    await page.getByText("Answer 449.").waitFor();
    expect(real.agent.view.active.chatView.earlier).toBeGreaterThan(500);
    await page.keyboard.press("Control+f");
    await field(page).fill("rare word");
    // None is loaded: the last one is the nearest.
    await expect.poll(() => count(page)).toBe("3 of 3");
    await expect.poll(() => marks(page)).toEqual({ all: 1, current: "rare word", seen: true });
    await page.keyboard.press("Enter");
    await expect.poll(() => count(page)).toBe("1 of 3");
    await expect.poll(() => marks(page)).toEqual({ all: 1, current: "rare word", seen: true });
    await expect.poll(() => page.locator('[data-row="a7:0"]').count()).toBe(1);
    await page.keyboard.press("Escape");
    await page.getByText("Answer 449.").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Jump to latest" }).count()).toBe(0);
    expect(panel.complaints).toEqual([]);
    await panel.close();
    await real.close();
  });
});
