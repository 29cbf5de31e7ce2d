/** Looks and rare states of "Why?". why.test.ts has what it says, by mouse and by keyboard. */
import { beforeEach, describe, expect, it } from "vitest";
import { sampled } from "../support/random.ts";
import { findings } from "./support/axe.ts";
import { japanese } from "./support/boot.ts";
import { ask } from "./support/events.ts";
import { host, overflow, page, picture, servePanels } from "./support/suite.ts";
import type { ThemeName } from "./support/themes.ts";
import { asked, body, explanation } from "./support/why.ts";

servePanels();

beforeEach(() => {
  host.explanation = explanation;
});

describe("Why?", () => {
  const looks: [ThemeName, number][] = [
    ["dark", 250],
    ["light", 250],
    ["dark", 400],
    ["high-contrast", 320],
  ];

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
