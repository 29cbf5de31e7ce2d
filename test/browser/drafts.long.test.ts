/** Rarer orders of what is typed, kept and sent. drafts.test.ts has that nothing is lost and nothing is mixed. */
import { beforeEach, describe, expect, it } from "vitest";
import { emptyView } from "../../src/shared/view/reducer.ts";
import { session, user } from "./support/events.ts";
import { host, input, openPanel, page, servePanels } from "./support/suite.ts";

servePanels();

beforeEach(() => {
  host.emit(session(), user("said before"));
});

it("knows a message that was written beside another task's as said", async () => {
  await openPanel();
  await page.getByTestId("row").waitFor();
  await input().fill("for a new task");
  await expect.poll(() => host.named("chat/draft").at(-1)).toMatchObject({ text: "for a new task" });
  expect(host.named("chat/draft").at(-1)?.after).not.toBe("");
  host.taking = new Promise(() => {});
  host.show(emptyView, host.setup);
  await page.getByTestId("row").waitFor({ state: "detached" });
  await input().press("Enter");
  await host.called("chat/send");
  await expect.poll(() => host.named("chat/draft").at(-1)?.after).toBe("");
  host.emit(session(), user("for a new task"));
  await page.reload();
  await page.getByTestId("row").waitFor();
  await expect.poll(() => input().inputValue()).toBe("");
});

it("never hands the host a message twice over, sent by the key after one that moved the cursor", async () => {
  await openPanel();
  await page.getByTestId("row").waitFor();
  host.taking = new Promise(() => {});
  for (let round = 0; round < 3; round++) {
    await input().fill(`typed ${round}`);
    // No key was released since.
    await page.keyboard.down("ArrowLeft");
    await page.keyboard.down("Enter");
    await host.called("chat/send", round + 1);
    await page.keyboard.up("ArrowLeft");
    await page.keyboard.up("Enter");
  }
  const texts = host.named("chat/draft").map(({ text }) => text);
  expect(texts.at(-1)).toBe("typed 0\ntyped 1\ntyped 2");
  for (const text of texts) expect(new Set(text.split("\n")).size).toBe(text.split("\n").length);
});

describe("a draft that changes in another place", () => {
  it("is shown where the user does not type, without an echo; and not where they type", async () => {
    await openPanel();
    await input().fill("mine");
    await expect.poll(() => host.named("chat/draft").at(-1)?.text).toBe("mine");
    host.server.notify("composer/draft", { text: "theirs", after: "" });
    host.emit(session(), { type: "todo", markdown: "- [ ] later" });
    await page.getByTestId("todo-list").waitFor();
    await page.evaluate(() => Object.assign(document, { hasFocus: () => false }));
    await expect.poll(() => input().inputValue()).toBe("mine");
    host.server.notify("composer/draft", { text: "theirs now", after: "" });
    await expect.poll(() => input().inputValue()).toBe("theirs now");
    await page.getByTestId("mode-plan").click();
    await host.called("chat/mode");
    expect(host.named("chat/draft").at(-1)?.text).toBe("mine");
    await input().fill("mine again");
    await expect.poll(() => host.named("chat/draft").at(-1)?.text).toBe("mine again");
  });
});
