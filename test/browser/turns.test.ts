/** A turn in the panel: its work in one line, and what it changed in a strip. */
import { describe, expect, it } from "vitest";
import type { EventBody } from "../../src/shared/event.ts";
import type { ShownResult } from "../../src/shared/message.ts";
import { findings } from "./support/axe.ts";
import { id, text, user } from "./support/events.ts";
import { scenes } from "./support/scenes.ts";
import { drawn } from "./support/scroll.ts";
import { host, openPanel, page, picture, row, servePanels } from "./support/suite.ts";
import { strip, work } from "./support/turns.ts";

servePanels({ keepsPanel: true });

const kinds = () =>
  page.getByTestId("row").evaluateAll((rows) => rows.map((each) => each.getAttribute("data-kind")));

async function openTurn(): Promise<string> {
  scenes.turn?.(host);
  await openPanel({ width: 320 });
  await strip().waitFor();
  return host.view.settled[0]?.id ?? host.view.live[0]?.id ?? "";
}

describe("the work of a finished turn", () => {
  it("is one line that opens to its rows by mouse and by keyboard", async () => {
    await openTurn();
    await expect.poll(() => work().textContent()).toBe("Explored 3 files, edited 1, ran 1 command · 41 s");
    expect(await kinds()).toEqual(["user", "text", "checkpoint"]);
    await work().click();
    const command = row("command").getByRole("button", { name: "npm test" });
    await expect.poll(async () => (await command.boundingBox())?.height).toBeLessThanOrEqual(22);
    expect(await row("command").locator("pre").count()).toBe(0);
    await command.press("Enter");
    await row("command").locator("pre").getByText("npm test").waitFor();
    await expect
      .poll(() => work().allTextContents())
      .toEqual(["Explored 3 files, edited 1, ran 1 command · 41 s", "Explored 3 files"]);
    await work().nth(1).press("Enter");
    await row("tool").nth(2).waitFor();
    await expect.poll(() => work().nth(1).getAttribute("aria-expanded")).toBe("true");
    await work().first().press("Space");
    await expect.poll(kinds).toEqual(["user", "text", "checkpoint"]);
  });

  it.each(["dark", "light"] as const)(
    "has a mark for commands that the sandbox blocked: %s",
    async (theme) => {
      const ran = (subject: string, shown: ShownResult): EventBody[] => {
        const callId = id();
        return [
          { type: "call", messageId: "m", callId, tool: "execute_command", subject },
          { type: "call-done", callId, outcome: "done", shown },
        ];
      };
      const block = { kind: "write", path: "/home/mia/.config/tool/settings.json" } as const;
      host.emit(
        user("Install it"),
        ...ran("npm install --save-dev some-package", {
          exitCode: 1,
          sandbox: { block: { kind: "network" } },
        }),
        ...ran("tool set color", { exitCode: 1, sandbox: { block } }),
        text("It could not be installed."),
        { type: "status", status: "idle" },
      );
      await openPanel({ theme, width: 250 });
      await page.getByRole("button", { name: "Ran 2 commands, 2 failed 2 blocked by the sandbox" }).click();
      const marks = row("command").getByRole("img");
      await marks.and(page.getByTitle("Blocked by the sandbox: network access")).waitFor();
      await marks.and(page.getByTitle(`Blocked by the sandbox: writing to ${block.path}`)).waitFor();
      await expect.poll(() => marks.count()).toBe(2);
      expect(await findings(page)).toEqual([]);
      await picture(`blocked-folded-${theme}`);
      await row("command").getByRole("button", { name: "npm install" }).press("Enter");
      await row("command").getByRole("button", { name: "Run with network" }).waitFor();
      await expect.poll(() => marks.count()).toBe(1);
      await picture(`blocked-unfolded-${theme}`);
    },
  );

  it("stays as the user unfolded it after a reload, with what they opened in it", async () => {
    await openTurn();
    await work().click();
    await row("command").getByRole("button", { name: "npm test" }).press("Enter");
    await row("command").locator("pre").getByText("npm test").waitFor();
    await page.reload();
    await row("command").locator("pre").getByText("npm test").waitFor();
    await expect.poll(() => work().first().getAttribute("aria-expanded")).toBe("true");
    await expect.poll(() => work().nth(1).getAttribute("aria-expanded")).toBe("false");
    await row("command").getByRole("button", { name: "npm test" }).press("Enter");
    await work().first().click();
    await expect.poll(kinds).toEqual(["user", "text", "checkpoint"]);
    await page.reload();
    await work().waitFor();
    await expect.poll(kinds).toEqual(["user", "text", "checkpoint"]);
    await work().click();
    await row("command").getByRole("button", { name: "npm test" }).waitFor();
    expect(await row("command").locator("pre").count()).toBe(0);
  });

  it("keeps the line where it was pressed at the end of the conversation, and follows the end again from there", async () => {
    host.emit(user("Do it"), { type: "status", status: "running" });
    for (let index = 0; index < 40; index++) {
      const callId = id();
      host.emit(
        {
          type: "call",
          messageId: "m",
          callId,
          tool: index % 2 ? "read_file" : "replace_in_file",
          subject: `${index}.ts`,
        },
        { type: "call-done", callId, outcome: "done" },
      );
    }
    const answer = Array.from({ length: 6 }, (_, index) => `Paragraph ${index}.`).join("\n\n");
    host.emit(text(answer), { type: "status", status: "idle" });
    await openPanel({ width: 320, height: 500 });
    const top = async () => Math.round((await work().first().boundingBox())?.y ?? -1);
    await work().waitFor();
    const before = await top();
    await work().click();
    await row("tool").first().waitFor();
    await drawn(page);
    expect(await top()).toBe(before);
    await page.getByRole("button", { name: "Jump to latest" }).waitFor();
    await work().first().press("Enter");
    await expect.poll(() => row("tool").count()).toBe(0);
    await drawn(page);
    host.emit(user("More"), text("Words. ".repeat(400)));
    await expect
      .poll(() =>
        page.getByTestId("transcript").evaluate((box) => box.scrollHeight - box.clientHeight - box.scrollTop),
      )
      .toBeLessThan(17);
  });
});

describe("the strip of what a turn changed", () => {
  it("lists the files with their lines, and asks the host for what is pressed", async () => {
    const turn = await openTurn();
    await strip().getByText("neko.txt").waitFor();
    await expect.poll(() => strip().locator(".strip-title").textContent()).toContain("4 files changed");
    await expect.poll(() => strip().locator(".strip-title .changes").textContent()).toContain("+52");
    await strip().getByRole("button", { name: "Review changes in neko.txt" }).click();
    expect(await host.called("turn/review")).toEqual({ id: turn, path: "neko.txt" });
    await strip().getByRole("button", { name: "Undo changes in gone.ts" }).click();
    expect(await host.called("turn/undo")).toEqual({ id: turn, path: "gone.ts" });
    await page.getByTestId("undo-turn").click();
    expect(await host.called("turn/undo", 2)).toEqual({ id: turn });
    await expect.poll(() => strip().locator("[data-undone=true]").textContent()).toContain("Undone");
  });

  it("closes when the user keeps the changes, also after a reload", async () => {
    const turn = await openTurn();
    await page.getByTestId("keep").click();
    expect(await host.called("turn/keep")).toEqual({ id: turn });
    await expect.poll(() => page.getByTestId("keep").count()).toBe(0);
    await page.reload();
    await strip().waitFor();
    expect(await page.getByTestId("keep").count()).toBe(0);
    await strip().locator(".strip-title").click();
    await page.getByTestId("keep").waitFor();
  });
});
