/** "Why?" on an approval: opened by keyboard or mouse, it says what the host explains, at every width. */
import { beforeEach, describe, expect, it } from "vitest";
import type { Explanation } from "../../src/shared/explanation.ts";
import { sampled } from "../support/random.ts";
import { findings } from "./support/axe.ts";
import { japanese } from "./support/boot.ts";
import { ask, session, user } from "./support/events.ts";
import { focused, host, openPanel, overflow, page, picture, servePanels } from "./support/suite.ts";
import type { ThemeName } from "./support/themes.ts";

servePanels();

const long = `npm run build -- --out dist/${"deep/".repeat(12)}`;
const explanation: Explanation = {
  verdict: "ask",
  reason: { code: "not-listed", values: ["npm test"] },
  subject: "command",
  part: "npm test\u202e",
  parts: [
    { text: "git status", verdict: "allow", reason: { code: "allow-listed", values: ["git status"] } },
    { text: "npm test\u202e", verdict: "ask", reason: { code: "not-listed", values: ["npm test"] } },
    { text: long, verdict: "ask", reason: { code: "not-listed", values: ["npm run"] } },
  ],
  remedy: { allow: ["npm test", long], undeny: [], settings: ["nekode.approval.commandSafe"] },
  examples: { runs: "npm test src", asks: "npm install" },
};
const command = `git status && npm test\u202e && ${long}`;

beforeEach(() => {
  host.explanation = explanation;
});

async function asked(options: Parameters<typeof openPanel>[0] = {}): Promise<void> {
  await openPanel(options);
  host.emit(session(), user("do it"), ...ask("c", "execute_command", command, { command }));
  await page.getByTestId("approve-why").waitFor();
}

const body = () => page.locator(".why-body");

describe("Why?", () => {
  it("is asked for when it is opened, and says all of it with what is unseen", async () => {
    await asked();
    expect(host.named("chat/why")).toEqual([]);
    await page.getByTestId("approve-why").click();
    expect(await host.called("chat/why")).toEqual({ callId: "c" });
    await body().getByText("npm install").waitFor();
    const text = (await body().textContent()) ?? "";
    for (const said of [
      "npm test‹U+202E›",
      "npm test is not on the allow list",
      "add npm test to nekode.commands.allow",
      "turn on nekode.approval.commandSafe",
      "npm test src",
      "git status allowed",
    ])
      expect(text).toContain(said);
    await body().locator("dd code").getByText("npm test", { exact: true }).first().waitFor();
    expect(host.named("chat/approve")).toEqual([]);
    expect(host.named("chat/reject")).toEqual([]);
  });

  it("opens and closes by keyboard, where the focus stays", async () => {
    await asked();
    const summary = page.getByTestId("approve-why");
    await summary.focus();
    await page.keyboard.press("Enter");
    await body().getByText("npm install").waitFor();
    await expect.poll(() => focused()).toBe("approve-why");
    await page.keyboard.press(" ");
    await expect.poll(() => body().textContent()).toBe("");
    await page.keyboard.press("Tab");
    await expect.poll(() => focused()).toBe("approve-with-comment");
  });

  it("says so where the call no longer waits, and is closed for the next call", async () => {
    host.explanation = undefined;
    await asked();
    await page.getByTestId("approve-why").click();
    await body().getByText("No explanation is available.").waitFor();
    host.emit({ type: "call-done", callId: "c", outcome: "rejected" });
    host.emit(...ask("d", "execute_command", "ls", { command: "ls" }));
    await page.locator(".ask").getByText("ls", { exact: true }).waitFor();
    await expect.poll(() => body().textContent()).toBe("");
  });

  const looks: [ThemeName, number][] = [
    ["dark", 250],
    ["light", 250],
    ["dark", 400],
    ["high-contrast", 320],
  ];
  it.each(sampled(looks, looks.length))("fits: %s, %i px", async (theme, width) => {
    await asked({ theme, width });
    await page.getByTestId("approve-why").click();
    await body().getByText("npm install").waitFor();
    await picture(`why-${theme}-${width}`);
    await expect.poll(overflow).toBe(0);
    expect(await findings(page)).toEqual([]);
    await page.getByTestId("approve").click();
    expect(await host.called("chat/approve")).toEqual({ callId: "c" });
  });

  it("is Japanese where the editor is", async () => {
    await asked({ boot: japanese, width: 320 });
    await page.getByText("理由の詳細", { exact: true }).click();
    await body().getByText("npm install").waitFor();
    await picture("why-ja-320");
    await expect.poll(() => body().textContent()).toContain("許可リストにありません");
  });
});
