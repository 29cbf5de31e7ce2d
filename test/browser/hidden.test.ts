/** The page of a hidden panel, which VS Code keeps: it does nothing until it is shown again. */
import { expect, it } from "vitest";
import { session, user } from "./support/events.ts";
import { host, openPanel, page, servePanels } from "./support/suite.ts";

servePanels();

/** Elements of the page before the first message. */
const ELEMENT_LIMIT = 120;
/** Files that the page loads by itself; each passes the editor before it arrives. */
const FILE_LIMIT = 13;

const animated = () =>
  page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === "running").length);

it("neither counts seconds nor turns a ring while it is hidden, and does both once it is shown", async () => {
  await openPanel({ prepare: (opened) => opened.clock.install() });
  host.emit(session(), user("Wait for it"), { type: "status", status: "waiting" });
  const line = page.locator(".status-text");
  await page.clock.runFor(3_000);
  await expect.poll(() => line.textContent()).toContain("3 s");
  await expect.poll(animated).toBe(1);
  host.server.notify("host/visible", { visible: false });
  await expect.poll(animated).toBe(0);
  await page.evaluate(() => {
    const changes = { count: 0 };
    Reflect.set(window, "changes", changes);
    new MutationObserver((list) => {
      changes.count += list.length;
    }).observe(document, { attributes: true, characterData: true, childList: true, subtree: true });
  });
  await page.clock.runFor(60_000);
  expect(await page.evaluate(() => Reflect.get(window, "changes").count)).toBe(0);
  expect(host.calls.filter(({ name }) => name === "host/shown")).toEqual([]);
  host.server.notify("host/visible", { visible: true });
  await expect.poll(() => line.textContent()).toContain("63 s");
  await expect.poll(animated).toBe(1);
  // By this the host knows that the page still runs.
  await expect.poll(() => host.calls.filter(({ name }) => name === "host/shown").length).toBe(1);
});

it("takes a draft from another place although it has the focus, for nobody types in a hidden page", async () => {
  await openPanel();
  const input = page.getByTestId("chat-input");
  await input.click();
  host.server.notify("composer/draft", { text: "of another place", after: "" });
  host.server.notify("host/visible", { visible: false });
  await page.locator(":root[data-hidden]").waitFor({ state: "attached" });
  await expect.poll(() => input.inputValue()).toBe("");
  host.server.notify("composer/draft", { text: "of another place, later", after: "" });
  await expect.poll(() => input.inputValue()).toBe("of another place, later");
});

it("has few elements at its start, and loads few files", async () => {
  const files: string[] = [];
  await openPanel({
    prepare: async (opened) => {
      opened.on("request", (request) => files.push(new URL(request.url()).pathname));
    },
  });
  await page.locator(".empty:not([aria-busy])").waitFor();
  // What is loaded last: the choices beside the model, and the screens of the history's kind after the history itself.
  await page.getByTestId("agent-picker").waitFor();
  await expect.poll(() => files).toContain("/screens.js");
  const elements = await page.evaluate(() => document.querySelectorAll("*").length);
  console.log(`${elements} elements and ${files.length} files at the start: ${files.join(" ")}`);
  expect(elements).toBeLessThan(ELEMENT_LIMIT);
  expect(files.length).toBeLessThan(FILE_LIMIT);
});
