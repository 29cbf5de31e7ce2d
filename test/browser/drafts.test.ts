/** What the host keeps of the composer, and what comes back of it: the page's own memory may be older, or gone. */
import { beforeEach, expect, it } from "vitest";
import { session, user } from "./support/events.ts";
import { host, input, openPanel, page, servePanels } from "./support/suite.ts";

servePanels();
const images = [
  {
    mimeType: "image/png",
    data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  },
];
const pictures = () => page.locator(".composer img");

beforeEach(() => {
  host.emit(session(), user("said before"));
});

it("hands each change to the host, pictures only with the first", async () => {
  host.draft = { text: "", after: "", images };
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
  host.draft = { text: "猫の話の続き", after: "", images };
  await openPanel();
  await expect.poll(() => input().inputValue()).toBe("猫の話の続き");
  await pictures().waitFor();
  await page.evaluate(() => sessionStorage.setItem("state", JSON.stringify({ draft: "older" })));
  await page.reload();
  await expect.poll(() => input().inputValue()).toBe("猫の話の続き");
});

it("does not bring back what has been said since", async () => {
  host.draft = { text: "said before", after: "", images };
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
  host.draft = { text: "look at this", after: "", images };
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
  host.draft = { text: "look at this", after: "", images };
  await page.reload();
  await expect.poll(() => input().inputValue()).toBe("look at this");
  await pictures().waitFor();
  await input().press("Enter");
  await host.called("chat/send", 2);
  take();
  await expect.poll(() => host.named("chat/draft").at(-1)).toMatchObject({ text: "" });
  expect(pictured().at(-1)).toBe(0);
});
