/** Finding a text in the conversation: by key, in all of the session, and back to where one was. */
import { describe, expect, it } from "vitest";
import type { EventBody } from "../../src/shared/event.ts";
import type { Message } from "../../src/shared/message.ts";
import { sampled } from "../support/random.ts";
import { findings } from "./support/axe.ts";
import { japanese } from "./support/boot.ts";
import { session, text, user } from "./support/events.ts";
import type { Panel } from "./support/panel-page.ts";
import { RealHost } from "./support/real-host.ts";
import {
  page as fakePage,
  focused,
  host,
  input,
  openPanel,
  overflow,
  panelServer,
  picture,
  servePanels,
  showScreen,
} from "./support/suite.ts";
import type { ThemeName } from "./support/themes.ts";

servePanels();

const PARAGRAPH = "Some words that fill a line or two in a narrow panel, and then some more of them.\n\n";

const field = (page: Panel["page"]) => page.getByTestId("find-input");
const count = (page: Panel["page"]) => page.getByTestId("find-count").textContent();

/** What is highlighted: how many matches on the page, the text of the current one, and whether it is in sight. */
function marks(page: Panel["page"]) {
  return page.evaluate(() => {
    const [current] = CSS.highlights.get("nekode-find-current") ?? [];
    const all = CSS.highlights.get("nekode-find")?.size ?? 0;
    const box = document.querySelector("[data-testid=transcript]")?.getBoundingClientRect();
    if (!(current instanceof Range) || !box) return { all, current: "", seen: false };
    const { top, bottom } = current.getBoundingClientRect();
    return { all, current: current.toString(), seen: top >= box.top && bottom <= box.bottom && bottom > top };
  });
}

function command(callId: string, name: string, output: string): EventBody[] {
  return [
    { type: "call", messageId: callId, callId, tool: "search_files", subject: name },
    { type: "call-done", callId, outcome: "done", shown: { text: "3", output } },
  ];
}

async function open(events: EventBody[], options: Parameters<typeof openPanel>[0] = {}): Promise<void> {
  host.emit(session(), ...events);
  await openPanel(options);
  await fakePage.getByTestId("row").last().waitFor();
  await fakePage.locator(".md p").first().waitFor();
}

async function find(words: string): Promise<void> {
  await fakePage.keyboard.press("Control+f");
  await field(fakePage).waitFor();
  await field(fakePage).fill(words);
}

describe("Ctrl+F", () => {
  it("counts and marks all matches, and goes from one to the next by each key", async () => {
    await open([
      user("Where is the cat?"),
      text(`A **cat** is ${PARAGRAPH.repeat(12)} the Cat.`),
      user("cat"),
    ]);
    await input().focus();
    await find("cat");
    // The first one of the first row in sight.
    await expect.poll(() => count(fakePage)).toBe("2 of 4");
    await expect.poll(() => marks(fakePage)).toEqual({ all: 4, current: "cat", seen: true });
    await fakePage.keyboard.press("Enter");
    await expect.poll(() => count(fakePage)).toBe("3 of 4");
    await expect.poll(() => marks(fakePage)).toEqual({ all: 4, current: "Cat", seen: true });
    await fakePage.keyboard.press("F3");
    await expect.poll(() => count(fakePage)).toBe("4 of 4");
    await fakePage.keyboard.press("F3");
    await expect.poll(() => count(fakePage)).toBe("1 of 4");
    await expect.poll(() => marks(fakePage)).toEqual({ all: 4, current: "cat", seen: true });
    await fakePage.keyboard.press("Shift+Enter");
    await expect.poll(() => count(fakePage)).toBe("4 of 4");
    await fakePage.keyboard.press("Shift+F3");
    await expect.poll(() => count(fakePage)).toBe("3 of 4");
    await fakePage.getByRole("button", { name: "Previous match" }).click();
    await expect.poll(() => count(fakePage)).toBe("2 of 4");
    await expect.poll(() => marks(fakePage)).toEqual({ all: 4, current: "cat", seen: true });
    await field(fakePage).fill("the zebra");
    await expect.poll(() => count(fakePage)).toBe("No results");
    expect(await marks(fakePage)).toEqual({ all: 0, current: "", seen: false });
  });

  it("goes back to where one was on Escape, with the focus", async () => {
    await open([user("The first"), text(PARAGRAPH.repeat(40)), user("The last")]);
    const box = fakePage.getByTestId("transcript");
    const fromEnd = () => box.evaluate((el) => Math.round(el.scrollHeight - el.scrollTop - el.clientHeight));
    await expect.poll(fromEnd).toBeLessThan(3);
    await input().focus();
    await find("the first");
    await expect.poll(() => marks(fakePage)).toEqual({ all: 1, current: "The first", seen: true });
    expect(await fromEnd()).toBeGreaterThan(500);
    await fakePage.keyboard.press("Escape");
    await expect.poll(fromEnd).toBeLessThan(3);
    await expect.poll(focused).toBe("chat-input");
    await expect.poll(() => field(fakePage).count()).toBe(0);
    expect(await fakePage.evaluate(() => CSS.highlights.size)).toBe(0);
    // Who has scrolled on since stays there.
    await find("the first");
    await expect.poll(async () => (await marks(fakePage)).seen).toBe(true);
    await box.hover();
    await fakePage.mouse.wheel(0, 300);
    await expect.poll(() => box.evaluate((el) => Math.round(el.scrollTop))).toBeGreaterThan(200);
    const top = () => box.evaluate((el) => Math.round(el.scrollTop));
    const there = await top();
    await field(fakePage).press("Escape");
    await field(fakePage).waitFor({ state: "detached" });
    expect(await top()).toBe(there);
  });

  it("opens the fold that contains the match, and scrolls inside it", async () => {
    const lines = Array.from(
      { length: 200 },
      (_, i) => `line ${i}: ${i === 150 ? "the needle" : "hay"}`,
    ).join("\n");
    await open([user("Search"), ...command("s", "needle in .", lines), text(PARAGRAPH.repeat(20))]);
    expect(await fakePage.getByText("line 150").count()).toBe(0);
    await find("the needle");
    await expect.poll(() => marks(fakePage)).toEqual({ all: 1, current: "the needle", seen: true });
    const inside = await fakePage.evaluate(() => {
      const [range] = CSS.highlights.get("nekode-find-current") ?? [];
      if (!(range instanceof Range)) return false;
      const box = range.startContainer.parentElement?.closest("pre")?.getBoundingClientRect();
      const { top, bottom } = range.getBoundingClientRect();
      return box !== undefined && top >= box.top && bottom <= box.bottom;
    });
    expect(inside).toBe(true);
  });

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

const looks: [ThemeName, number, "en" | "ja"][] = [
  ["light", 250, "ja"],
  ["dark", 340, "en"],
  ["high-contrast", 600, "en"],
  ["high-contrast-light", 250, "en"],
];

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
