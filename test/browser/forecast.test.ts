/** What a message costs, before it is sent; and a request that waits, sent at once. */
import { describe, expect, it } from "vitest";
import { session, user } from "./support/events.ts";
import { host, input, openPanel, page, servePanels } from "./support/suite.ts";

servePanels();

describe("costs that are foreseen", () => {
  it("the Send button says what the message sends, for the pointer and for the keyboard", async () => {
    await openPanel();
    await input().fill("猫は?");
    const send = page.getByTestId("send");
    await send.hover();
    const said = "Send: about 12k tokens, 10k of them cached, about $0.0456";
    await expect.poll(() => send.getAttribute("title")).toBe(said);
    expect(await host.called("chat/forecast")).toEqual({ text: "猫は?" });
    await expect.poll(() => send.getAttribute("aria-label")).toBe("Send");
  });

  it("a question before an expensive message has a button to continue", async () => {
    host.emit(session(), user("go"), {
      type: "notice",
      id: "n1",
      code: "cost-ahead",
      values: ["120,000", "1.20"],
    });
    await openPanel({ width: 250 });
    await page.getByText("The next request sends about 120,000 tokens").waitFor();
    await page.getByRole("button", { name: "Continue" }).click();
    expect(await host.called("chat/retry")).toEqual({});
  });

  it("a request that waits is sent at once, or canceled", async () => {
    const at = new Date(Date.now() + 60_000).toISOString();
    host.emit(session(), user("go"), {
      type: "status",
      status: "retrying",
      retry: { at, try: 2, of: 5, error: { code: "rate-limited" } },
    });
    await openPanel({ width: 250 });
    await page.getByRole("button", { name: "Retry now" }).click();
    expect(await host.called("chat/retry")).toEqual({});
    await page.getByRole("button", { name: "Cancel" }).click();
    expect(await host.called("chat/stop")).toEqual({});
  });
});
