/** The list of the tasks that are not on screen. */
import { expect, it } from "vitest";
import { sampled } from "../support/random.ts";
import { japanese } from "./support/boot.ts";
import { item, listed, TASKS } from "./support/sessions.ts";
import { focused, host, overflow, page, picture, servePanels } from "./support/suite.ts";

servePanels();

const names = () => page.getByTestId("session-item").locator(".session-named").allTextContents();

const looks = [
  ["light", "ja"],
  ["dark", "en"],
  ["high-contrast", "en"],
] as const;

it("names each task and its state, what waits for the user first, without the task on screen", async () => {
  await listed();
  await page.getByText("5 other tasks, 3 waiting for you").waitFor();
  expect(await names()).toEqual([...TASKS.slice(0, 4).map(({ title }) => title), "Untitled"]);
  const states = await page.getByTestId("session-item").locator(".session-state").allTextContents();
  expect(states).toEqual(["Needs approval", "Has a question", "Cannot continue", "Done", "Working"]);
  const [named, state, call] = [
    "Add a search field to the list of orders",
    "Needs approval",
    "Running npm test",
  ];
  await item(0)
    .getByRole("button", { name: `${named} ${state} ${call}` })
    .waitFor();
  await expect
    .poll(() => item(0).locator(".session-open").getAttribute("title"))
    .toBe(`${named}: ${state} (${call} -- --run test/unit)`);
  for (const width of [250, 420]) {
    await page.setViewportSize({ width, height: 600 });
    await expect.poll(overflow).toBe(0);
    await picture(`sessions-${width}`);
  }
});

it.each(sampled(looks, looks.length))(
  "is beside the conversation where the panel is wide, in %s and %s",
  async (theme, language) => {
    await listed({ theme, width: 1000, ...(language === "ja" ? { boot: japanese } : {}) });
    const boxes = async () => {
      const list = await page.getByTestId("session-list").boundingBox();
      const rows = await page.getByTestId("transcript").boundingBox();
      return list && rows && { beside: list.x + list.width <= rows.x, above: list.y + list.height <= rows.y };
    };
    await expect.poll(boxes).toEqual({ beside: true, above: false });
    await expect.poll(overflow).toBe(0);
    await item(0).hover();
    await picture(`sessions-1000-${theme}-${language}`);
    // Folded, it leaves the room to the conversation.
    await page.locator(".sessions summary").click();
    await expect.poll(boxes).toEqual({ beside: false, above: true });
    await page.locator(".sessions summary").click();
    await page.setViewportSize({ width: 400, height: 600 });
    await expect.poll(boxes).toEqual({ beside: false, above: true });
    await picture(`sessions-400-${theme}-${language}`);
    await page.setViewportSize({ width: 250, height: 600 });
    await expect.poll(overflow).toBe(0);
    await picture(`sessions-250-${theme}-${language}`);
  },
);

it("a press opens the task, and the focus goes to the composer", async () => {
  await listed();
  await item(1)
    .getByRole("button", { name: /^Choose a library/ })
    .click();
  expect(await host.called("history/open")).toEqual({ id: "q" });
  await expect.poll(() => focused()).toBe("chat-input");
});

it("is used with the keyboard: what works is stopped, what does not is dismissed", async () => {
  await listed();
  await item(0).getByRole("button").first().focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  expect(await host.called("sessions/open-in-tab")).toEqual({ id: "a" });
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  expect(await host.called("sessions/stop")).toEqual({ id: "a" });
  await item(3).getByRole("button", { name: "Dismiss 猫の写真を表示する" }).click();
  expect(await host.called("sessions/dismiss")).toEqual({ id: "d" });
  expect(host.named("history/open")).toEqual([]);
});
