/** The queue beside a command that really runs, over a reload. */

import { afterAll, beforeAll, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "../../model-server/server.ts";
import { clickOn } from "../../support/pointer.ts";
import { JOURNEY, openProjectPanel, type ProjectPanel } from "../support/project-panel.ts";

let server: ModelServer;
let nekode: ProjectPanel;

beforeAll(async () => {
  const turns = [
    [
      {
        tool: "execute_command",
        params: { command: "echo begun $((40 + 2)); sleep 300", requires_approval: false },
      },
    ],
    [{ text: "I read it" }, { hold: "middle" }, { text: " to the end." }],
  ];
  server = await startModelServer({
    script: { turns: turns.map((answer, i) => ({ match: { request: i + 1 }, answer })) },
  });
  nekode = await openProjectPanel({
    modelServer: { baseUrl: server.url },
    settings: { "nekode.provider.protocol": "native", "nekode.approval.commandAll": true },
  });
});
afterAll(async () => {
  await nekode.close();
  expect(server.refusals).toEqual([]);
  await server.close();
});

it(
  "edits, reorders and sends queued messages while a command runs, and keeps them over a reload",
  JOURNEY,
  async () => {
    const { page, input } = nekode;
    const items = page.getByTestId("queue-item");
    const queued = () => items.locator(".queue-text").allTextContents();
    await nekode.send("Start it");
    await nekode.row("command", "begun 42").waitFor();
    for (const said of ["sparrow", "wren", "robin"]) await nekode.send(said);
    await expect.poll(queued).toEqual(["sparrow", "wren", "robin"]);
    await clickOn(items.nth(1), page.getByRole("button", { name: "Edit queued message: wren" }));
    await page.locator("[data-testid=queue-text]:focus").waitFor();
    await nekode.press("ControlOrMeta+a");
    await page.keyboard.insertText("wren, changed");
    await nekode.press("Enter");
    await page.locator("[data-testid=chat-input]:focus").waitFor();
    await expect.poll(queued).toEqual(["sparrow", "wren, changed", "robin"]);
    // The focus stays on the message that moves.
    const remove = page.getByRole("button", { name: "Remove from queue: robin" });
    await nekode.press("Escape");
    for (let i = 0; i < 5 && (await remove.and(page.locator(":focus")).count()) === 0; i++)
      await nekode.press("Shift+Tab");
    await nekode.press("Alt+ArrowUp");
    await expect.poll(queued).toEqual(["sparrow", "robin", "wren, changed"]);
    await nekode.press("Alt+ArrowUp");
    await expect.poll(queued).toEqual(["robin", "sparrow", "wren, changed"]);
    await nekode.press("Alt+ArrowDown");
    await expect.poll(queued).toEqual(["sparrow", "robin", "wren, changed"]);
    expect(server.requests).toHaveLength(1);

    await clickOn(items.nth(2), items.nth(2).getByTestId("queue-send"));
    await server.waitForHold("middle");
    await nekode.row("text", "I read it").waitFor();
    await expect.poll(queued).toEqual([]);
    const read = JSON.stringify(server.chat(2).messages);
    expect(read).toMatch(/Still running after .* as terminal \d/);
    expect(read).toMatch(/wren, changed.*sparrow.*robin/);

    for (const said of ["finch", "tit"]) await nekode.send(said);
    await clickOn(items.nth(1), items.nth(1).getByTestId("queue-up"));
    await expect.poll(queued).toEqual(["tit", "finch"]);
    await nekode.reload();
    await nekode.row("notice", "interrupted").waitFor();
    await expect.poll(() => input.inputValue()).toBe("tit\n\nfinch");
    server.setScript({ turns: [{ times: true, answer: [{ text: "Both are read." }] }] });
    await input.press("Enter");
    await nekode.row("text", "Both are read.").waitFor();
    expect(JSON.stringify(server.chat(3).messages.at(-1))).toContain("tit\\n\\nfinch");
  },
);
