/** All that is around the conversation: names, keys, focus, history, and what happens when a part fails. */
import { describe, expect, it } from "vitest";
import { ask, session, text, user } from "./support/events.ts";
import { READY_SETUP } from "./support/fake-host.ts";
import { someTasks } from "./support/fixtures.ts";
import { scenes } from "./support/scenes.ts";
import {
  focused,
  holdChunk,
  host,
  input,
  openPanel,
  overflow,
  page,
  panel,
  picture,
  row,
  servePanels,
  showScene,
  showScreen,
} from "./support/suite.ts";

servePanels({ mayComplain: true });

/** Roles that a user operates or finds their way by: each must have a name. */
const NAMED = new Set([
  ...[
    "button",
    "link",
    "textbox",
    "radio",
    "radiogroup",
    "checkbox",
    "listbox",
    "option",
    "meter",
    "image",
    "log",
  ],
  ...["DisclosureTriangle", "region", "heading", "menuitem", "tab", "combobox"],
]);

async function unnamed(): Promise<string[]> {
  const client = await page.context().newCDPSession(page);
  const { nodes } = await client.send("Accessibility.getFullAXTree");
  await client.detach();
  return (
    nodes
      .filter((node) => !node.ignored && NAMED.has(String(node.role?.value)))
      // The toolkit names its own buttons "Icon Button" when nobody else does.
      .filter((node) => ["", "Icon Button"].includes(String(node.name?.value ?? "").trim()))
      .map((node) => `${node.role?.value} ${JSON.stringify(node.properties)}`)
  );
}

describe("accessibility", () => {
  it("gives every control a name, whatever is shown", async () => {
    await openPanel();
    for (const [name, prepare] of Object.entries(scenes)) {
      await showScene(prepare);
      // A part that loads later gives its name with it.
      await expect.poll(unnamed, { message: name }).toEqual([]);
    }
    host.find = async () => [{ path: "neko.txt", kind: "file", positions: [] }];
    await page.getByTestId("chat-input").fill("@");
    await page.getByTestId("mention-option").last().waitFor();
    expect(await unnamed(), "picker").toEqual([]);
    await page.keyboard.press("Escape");
    host.sessions = [
      { id: "s", title: "A task", startedAt: "", updatedAt: "", messageCount: 1, cost: 0, tokens: 5 },
    ];
    showScreen("history");
    await page.getByTestId("history-item").waitFor();
    expect(await unnamed(), "history").toEqual([]);
    expect(panel.complaints).toEqual([]);
  });

  it("reaches every control by Tab, each once", async () => {
    host.emit(session(), user("x"), text("[a](https://example.com)"), { type: "todo", markdown: "- [ ] a" });
    host.emit(...ask("e", "replace_in_file", "neko.txt", { access: "edit", path: "neko.txt" }));
    await openPanel();
    await page.getByTestId("approve").waitFor();
    await page.getByTestId("todo-list").waitFor();
    await page.getByRole("link", { name: "a", exact: true }).waitFor();
    const seen: string[] = [];
    await page.getByTestId("mode-act").focus();
    for (let i = 0; i < 40; i++) {
      const name = await page.evaluate(() => {
        const inner = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement;
        return (
          document.activeElement?.getAttribute("data-testid") ??
          `${inner?.tagName} ${inner?.textContent ?? ""}`.trim()
        );
      });
      if (seen.includes(name)) break;
      seen.push(name);
      await page.keyboard.press("Tab");
    }
    for (const wanted of [
      ...["mode-act", "task-title", "transcript"],
      ...["approve-with-comment", "approve", "reject", "chat-input", "stop"],
    ]) {
      expect(seen, wanted).toContain(wanted);
    }
    expect(seen.some((name) => name.startsWith("SUMMARY"))).toBe(true);
    expect(seen.filter((name) => name.startsWith("SPAN"))).toHaveLength(2);
  });

  it("tells a finished answer and a question, not the tokens between", async () => {
    host.emit(session(), user("x"));
    await openPanel();
    const status = page.locator(".app > [role=status]");
    host.emit({ type: "delta", messageId: "m", block: 0, kind: "text", delta: "half" });
    await page.getByText("half").waitFor();
    await expect.poll(() => status.textContent()).toBe("");
    host.emit({
      type: "message",
      message: {
        id: "m",
        role: "assistant",
        createdAt: "",
        blocks: [{ type: "text", text: "half and whole" }],
      },
    });
    await expect.poll(() => status.textContent()).toBe("half and whole");
    host.emit(...ask("c", "execute_command", "npm test", { command: "npm test" }));
    await expect.poll(() => status.textContent()).toContain("Run this command? npm test");
  });
});

describe("the header", () => {
  it("switches the mode, by mouse and by arrow keys", async () => {
    await openPanel();
    await expect.poll(() => page.getByTestId("mode-act").getAttribute("aria-checked")).toBe("true");
    await page.getByTestId("mode-plan").click();
    expect(await host.called("chat/mode")).toEqual({ mode: "plan" });
    await expect.poll(() => page.getByTestId("mode-plan").getAttribute("aria-checked")).toBe("true");
    await page.keyboard.press("ArrowRight");
    expect(await host.called("chat/mode", 2)).toEqual({ mode: "act" });
    await expect.poll(() => focused()).toBe("mode-act");
  });

  it("shows the task's title, and renames the task in place", async () => {
    await openPanel({ width: 250 });
    const title = page.getByTestId("task-title");
    const field = page.getByTestId("task-title-edit");
    await title.waitFor({ state: "detached" });
    host.emit({ type: "session", id: "s", title: "Add a sentence to the file about cats" });
    await expect.poll(() => title.textContent()).toBe("Add a sentence to the file about cats");
    await expect.poll(overflow).toBe(0);
    await title.focus();
    await page.keyboard.press("Enter");
    await field.fill("Cats");
    await field.press("Escape");
    await expect.poll(() => title.textContent()).toBe("Add a sentence to the file about cats");
    expect(host.named("history/rename")).toEqual([]);
    await title.click();
    await field.fill(" Cats ");
    await field.press("Enter");
    await expect.poll(() => title.textContent()).toBe("Cats");
    await expect.poll(() => focused()).toBe("chat-input");
    await title.click();
    await field.fill("Dogs");
    await input().click();
    await expect.poll(() => title.textContent()).toBe("Dogs");
    expect(host.named("history/rename")).toEqual([
      { id: "s", title: "Cats" },
      { id: "s", title: "Dogs" },
    ]);
  });
});

describe("a task that is not finished", () => {
  /** Asks to branch off at the user's message. */
  const fork = () => page.getByTestId("fork-message").press("Enter");

  it("is no question any more once it is finished", async () => {
    host.emit(session(), user("x"), { type: "status", status: "running" });
    await openPanel();
    await fork();
    await page.getByTestId("leave-question").waitFor();
    host.emit({ type: "status", status: "idle" });
    await page.getByTestId("leave-question").waitFor({ state: "detached" });
  });

  it("is left at once if it is finished before the question is on the page", async () => {
    host.emit(session(), user("x"), { type: "status", status: "running" });
    await openPanel();
    const question = await holdChunk(/leave-question/);
    await fork();
    await question.asked;
    host.emit({ type: "status", status: "idle" });
    question.release();
    expect(await host.called("chat/fork", 2)).toMatchObject({ stop: true });
    expect(await page.getByTestId("leave-question").count()).toBe(0);
  });

  it("is deleted only when the user agrees to stop it", async () => {
    const times = { startedAt: "2025-01-02T03:04:05Z", updatedAt: "2025-01-02T03:04:05Z" };
    host.sessions = [{ id: "s1", title: "Other", ...times, messageCount: 1, cost: 0, tokens: 1 }];
    await openPanel({ width: 250 });
    host.listTasks({ id: "s1", title: "Other", state: "working" });
    host.server.notify("history/show", {});
    const remove = async () => {
      await page.getByTestId("history-more").press("Enter");
      await page.getByTestId("history-delete").press("Enter");
    };
    await remove();
    await page.getByTestId("leave-question").waitFor();
    await expect.poll(() => focused()).toBe("keep-working");
    await picture("leave-question-history-250");
    await page.keyboard.press("Escape");
    await page.getByTestId("leave-question").waitFor({ state: "detached" });
    await expect.poll(() => focused()).toBe("history-more");
    await remove();
    await page.getByTestId("stop-and-leave").click();
    expect(await host.called("history/delete", 3)).toEqual({ id: "s1", stop: true });
    await page.getByTestId("history-undo").waitFor();
  });
});

describe("the history", () => {
  it("lists the tasks, opens one, and gives the focus back", async () => {
    host.sessions = [
      {
        id: "s1",
        title: "Add a sentence",
        startedAt: "2025-01-02T03:04:05Z",
        updatedAt: "2025-01-02T03:04:05Z",
        messageCount: 12,
        cost: 0.5,
        tokens: 9_000,
      },
      {
        id: "s2",
        title: "Another",
        startedAt: "",
        updatedAt: "never",
        messageCount: 1,
        cost: 0,
        tokens: 12_000,
      },
    ];
    await openPanel();
    await page.getByTestId("mode-act").focus();
    showScreen("history");
    const item = page.getByTestId("history-item");
    await item.nth(1).waitFor();
    await expect.poll(() => item.first().textContent()).toContain("Add a sentence");
    await expect.poll(() => page.locator(".history-day").first().textContent()).toContain("2025");
    await expect.poll(() => item.first().textContent()).toContain("12 messages");
    await expect.poll(() => item.first().textContent()).toContain("$0.5");
    await expect.poll(() => focused()).toBe("history-search");
    await page.keyboard.press("Escape");
    await item.first().waitFor({ state: "detached" });
    await expect.poll(() => focused()).toBe("mode-act");
    showScreen("history");
    await item.nth(1).click();
    expect(await host.called("history/open")).toEqual({ id: "s2" });
    await item.first().waitFor({ state: "detached" });
  });
});

describe("the empty state", () => {
  it("is the setup when no model is chosen, and gives way to examples once one is", async () => {
    host.setup = { ...READY_SETUP, models: { act: "" }, connections: [], hasWorkspace: false };
    await openPanel();
    await page.getByText("No folder is open.").waitFor();
    await page.getByTestId("find-local").waitFor();
    host.server.notify("host/setup", READY_SETUP);
    await page.getByRole("button", { name: "Write tests for @/src/cats.js" }).waitFor();
    expect(await page.getByTestId("set-up").count()).toBe(0);
  });
});

describe("what goes on", () => {
  it("is said, and a wait can be canceled", async () => {
    host.emit(session(), user("x"), { type: "status", status: "waiting" });
    await openPanel();
    await page.getByText(/Waiting for the model… [1-9]\d* s/).waitFor();
    const detail = "429: tokens per minute";
    const error = { code: "rate-limited" as const, subject: "https://model.example/v1", detail };
    // The page's clock stands still: however busy the machine is, none of the seconds passes before they are seen.
    await page.clock.setFixedTime("2026-01-01T00:00:00Z");
    const retry = { at: "2026-01-01T00:00:30Z", try: 2, of: 5, error };
    host.emit({ type: "status", status: "retrying", retry });
    await page.getByText(/model.example.* is limiting requests. Retrying in 30 s \(2 of 5\)/).waitFor();
    await page.locator(".status").getByText(detail).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await host.called("chat/stop");
    host.emit({ type: "call", messageId: "m", callId: "c", tool: "execute_command", subject: "npm test" });
    host.emit({ type: "call-running", callId: "c" }, { type: "status", status: "running" });
    // The row of the command says it.
    await page.locator(".status").waitFor({ state: "detached" });
    await row("command").locator(".ring").waitFor();
    host.emit({ type: "call-done", callId: "c", outcome: "done" });
    await page.getByTestId("transcript").locator(".status").getByText("Working…").waitFor();
    host.emit({ type: "status", status: "idle" });
    await page.locator(".status").waitFor({ state: "detached" });
  });
});

describe("a part that fails", () => {
  it("leaves the composer and its draft, and comes back when asked", async () => {
    host.sessions = someTasks;
    host.emit(session(), user("x"));
    await openPanel({ boot: { language: "no such language", translations: {} } });
    await page.getByTestId("chat-input").fill("a draft");
    showScreen("history");
    await page.getByText("Part of the panel failed. Nothing was lost.").waitFor();
    await page.getByRole("button", { name: "Reload panel" }).click();
    await page.getByText("Part of the panel failed.").waitFor({ state: "detached" });
    await expect.poll(() => page.getByTestId("chat-input").inputValue()).toBe("a draft");
    await page.getByTestId("chat-input").press("Enter");
    expect(await host.called("chat/send")).toEqual({ text: "a draft" });
  });
});
