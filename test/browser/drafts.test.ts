/** What the host keeps of the composer, and what comes back of it: the page's own memory may be older, or gone. */
import { beforeEach, describe, expect, it } from "vitest";
import { session, user } from "./support/events.ts";
import { host, input, openPanel, page, servePanels } from "./support/suite.ts";

servePanels();

beforeEach(() => {
  host.emit(session(), user("said before"));
});

const IMAGES = [
  {
    mimeType: "image/png",
    data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  },
];

const pictures = () => page.locator(".composer img");

async function remember(state: object): Promise<void> {
  // Once the host has answered the page keeps its own draft, and tells the host after that.
  await host.called("chat/draft");
  // What it shows is the last that it stores.
  const stored = () => page.evaluate(() => JSON.parse(sessionStorage.getItem("state") ?? "{}").screen);
  await expect.poll(stored).toBeTruthy();
  await page.evaluate((kept) => sessionStorage.setItem("state", kept), JSON.stringify(state));
}

it("hands each change to the host, pictures only with the first", async () => {
  host.draft = { text: "", after: "", at: 1, images: IMAGES };
  await openPanel();
  await pictures().waitFor();
  await input().pressSequentially("ab");
  await expect.poll(() => host.named("chat/draft").at(-1)).toMatchObject({ text: "ab" });
  await input().press("Enter");
  await expect.poll(() => host.named("chat/draft").at(-1)).toMatchObject({ text: "" });
  const pictured = host.named("chat/draft").flatMap((draft) => (draft.images ? [draft.images.length] : []));
  expect(pictured).toEqual([1, 0]);
});

it("shows what the host kept, rather than the page's older memory", async () => {
  host.draft = { text: "猫の話の続き", after: "", at: 1, images: IMAGES };
  await openPanel();
  await expect.poll(() => input().inputValue()).toBe("猫の話の続き");
  await pictures().waitFor();
  await page.evaluate(() => sessionStorage.setItem("state", JSON.stringify({ draft: "older" })));
  await page.reload();
  await expect.poll(() => input().inputValue()).toBe("猫の話の続き");
});

it("does not bring back what has been said since", async () => {
  host.draft = { text: "said before", after: "", at: 1, images: IMAGES };
  await openPanel();
  await page.getByTestId("row").waitFor();
  await expect.poll(() => input().inputValue()).toBe("");
  await expect.poll(() => pictures().count()).toBe(0);
});

it("gives up what is sent, pictures included, only when the host has it", async () => {
  let take = () => {};
  host.taking = new Promise((resolve) => {
    take = resolve;
  });
  host.draft = { text: "look at this", after: "", at: 1, images: IMAGES };
  await openPanel();
  await pictures().waitFor();
  await input().press("Enter");
  await host.called("chat/send");
  await expect.poll(() => input().inputValue()).toBe("");
  await input().pressSequentially("b");
  await expect.poll(() => host.named("chat/draft").at(-1)).toMatchObject({ text: "look at this\nb" });
  const pictured = () => host.named("chat/draft").flatMap(({ images }) => (images ? [images.length] : []));
  expect(pictured().at(-1)).toBe(1);
  // The page is gone before the host has answered: what was sent is in the composer again.
  host.draft = { text: "look at this", after: "", at: 1, images: IMAGES };
  await page.reload();
  await expect.poll(() => input().inputValue()).toBe("look at this");
  await pictures().waitFor();
  await input().press("Enter");
  await host.called("chat/send", 2);
  take();
  await expect.poll(() => host.named("chat/draft").at(-1)).toMatchObject({ text: "" });
  expect(pictured().at(-1)).toBe(0);
});

describe("before the host has answered", () => {
  const kept = {
    draft: "typed",
    pending: "said before",
    draftAfter: "",
    draftAt: 5,
    images: IMAGES,
    pendingImages: [],
  };

  it("tells the host what the page remembers, and since when", async () => {
    await openPanel();
    await remember(kept);
    await page.reload();
    const opened = await host.called("chat/open", 2);
    expect(opened.draft).toEqual({ text: "said before\ntyped", after: "", at: 5, images: IMAGES });
  });

  it("never mixes what was typed with what was restored, which waits beside it", async () => {
    await openPanel();
    await remember({ ...kept, draft: "", pending: "never said", images: [] });
    const answer = host.openLate();
    await page.reload();
    await input().pressSequentially("new words");
    await input().press("ArrowLeft");
    answer();
    const aside = page.getByTestId("aside-draft");
    await aside.getByText("never said").waitFor();
    await expect.poll(() => input().inputValue()).toBe("new words");
    // The cursor stays where the user left it.
    await page.keyboard.type("X");
    await expect.poll(() => input().inputValue()).toBe("new wordXs");
    await page.reload();
    await aside.getByText("never said").waitFor();
    await aside.getByRole("button", { name: /^Restore/ }).click();
    await expect.poll(() => input().inputValue()).toBe("never said");
    await aside.getByText("new wordXs").waitFor();
    await aside.getByRole("button", { name: /^Discard/ }).click();
    await aside.waitFor({ state: "detached" });
    await page.reload();
    await expect.poll(() => input().inputValue()).toBe("never said");
    expect(await aside.count()).toBe(0);
  });

  it.each([
    ["said before", "typed"],
    ["never said", "never said\ntyped"],
  ])("with %s on its way to the host, shows %s when nothing was typed", async (pending, shown) => {
    await openPanel();
    await remember({ ...kept, pending });
    const answer = host.openLate();
    await page.reload();
    await expect.poll(() => input().inputValue()).toBe("typed");
    answer();
    await page.locator("main[aria-busy=false]").waitFor();
    await expect.poll(() => input().inputValue()).toBe(shown);
    await expect.poll(() => host.named("chat/draft").at(-1)).toMatchObject({ text: shown });
    await expect.poll(() => pictures().count()).toBe(1);
  });

  it("what is sent is shown as sent, until its row is there", async () => {
    await openPanel();
    let take = () => {};
    host.taking = new Promise((resolve) => {
      take = resolve;
    });
    const answer = host.openLate();
    await page.reload();
    await input().pressSequentially("sent early");
    await input().press("Enter");
    const sending = page.getByTestId("sending");
    await sending.getByText("sent early").waitFor();
    await expect.poll(() => page.locator("main").getAttribute("aria-busy")).toBe("true");
    expect(host.named("chat/send")).toEqual([]);
    answer();
    await host.called("chat/send");
    await page.locator("main[aria-busy=false]").waitFor();
    await sending.getByText("sent early").waitFor();
    host.emit(user("sent early"));
    await page.getByTestId("row").getByText("sent early").waitFor();
    expect(await sending.count()).toBe(0);
    take();
    await expect.poll(() => host.named("chat/draft").at(-1)).toMatchObject({ text: "" });
  });

  it("sends when it has, and never twice", async () => {
    await openPanel();
    await remember({ ...kept, draft: "said before", pending: "" });
    const answer = host.openLate();
    await page.reload();
    await expect.poll(() => input().inputValue()).toBe("said before");
    await input().press("Enter");
    await expect.poll(() => input().inputValue()).toBe("");
    await page.keyboard.type("something new");
    await input().press("Enter");
    expect(host.named("chat/send")).toEqual([]);
    answer();
    expect(await host.called("chat/send")).toEqual({ text: "something new" });
    await expect.poll(() => host.named("chat/draft").at(-1)).toMatchObject({ text: "" });
    expect(host.named("chat/send")).toHaveLength(1);
    await expect.poll(() => input().inputValue()).toBe("");
  });
});
