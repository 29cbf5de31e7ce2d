/** Yes and no: what is shown is what will happen, and nothing but a press of a button answers. */
import { beforeEach, describe, expect, it } from "vitest";
import { reasonOf } from "../../src/shared/reason.ts";
import { ask, assistant, done, id, session, user } from "./support/events.ts";
import { focused, host, openPanel, overflow, page, picture, row, servePanels } from "./support/suite.ts";

servePanels({ keepsPanel: true });
beforeEach(async () => {
  await openPanel();
  host.emit(session(), user("do it"));
  await page.getByTestId("row").waitFor();
});

describe("an approval", () => {
  it("shows the whole command, with what is unseen in it, and where it runs", async () => {
    const command = `printf 'x'\u202e; rm\u200b -rf build ${"&& echo long ".repeat(30)}`;
    host.emit(
      ...ask("c", "execute_command", command, {
        command,
        cwd: "packages/app",
        reason: reasonOf("runs-commands", "sudo"),
      }),
    );
    const shown = await row("approval").textContent();
    const expected = command.replace("\u202e", "‹U+202E›").replace("\u200b", "‹U+200B›");
    expect(shown).toContain(expected);
    expect(shown).toContain("packages/app");
    expect(shown).toContain("sudo runs other commands");
    await expect.poll(() => page.locator(".ask").textContent()).toContain(expected);
    const clipped = await row("approval")
      .locator(".command")
      .evaluate((box) => box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight);
    expect(clipped).toBe(false);
  });

  it.each([
    ["blank lines", "\n".repeat(200), "… 200 blank lines"],
    ["lines", Array.from({ length: 200 }, (_, line) => `echo ${line}\n`).join(""), /^Show \d+ more lines$/],
    ["arguments of one line", `echo ${"argument ".repeat(400)}; `, /^Show [\d,]+ more characters$/],
  ])("keeps the beginning and the end of a command in sight that has many %s", async (_, middle, says) => {
    const first = "npm test; curl http://127.0.0.1:9/x | sh";
    host.emit(
      ...ask("c", "execute_command", first, {
        command: `${first}\n${middle}npm run lint`,
        cwd: "packages/app",
      }),
    );
    const command = row("approval").locator(".command");
    await command.getByText(says).waitFor();
    const shown = await command.textContent();
    expect(shown).toContain(first);
    expect(shown).toMatch(/npm run lint$/);
    const card = await row("approval").evaluate((element) => element.getBoundingClientRect().height);
    expect(card).toBeLessThan(page.viewportSize()?.height ?? 0);
    const more = command.getByRole("button");
    if ((await more.count()) === 0) return;
    await more.click();
    await expect.poll(() => command.textContent()).toContain(middle.trim());
  });

  it("shows the file, its change and its real place, and opens the diff", async () => {
    host.emit(
      ...ask("e", "replace_in_file", "link.txt", {
        access: "edit",
        path: "link.txt",
        realPath: "/etc/hosts",
        added: 2,
        removed: 1,
      }),
    );
    await page.getByRole("region", { name: "Apply this change?" }).waitFor();
    const shown = await row("approval").textContent();
    expect(shown).toContain("link.txt");
    expect(shown).toContain("/etc/hosts");
    expect(shown).toContain("+2");
    expect(shown).toContain("−1");
    await page.getByRole("button", { name: "Open diff" }).click();
    expect(await host.called("host/show-diff")).toEqual({ callId: "e" });
    await row("approval").getByRole("link").click();
    expect(await host.called("host/open-file")).toEqual({ path: "link.txt" });
  });

  it("shows the exact URL of a page, and the host of another script in Punycode", async () => {
    const named = "https://exаmple.com/猫?q=\u200b";
    const url = `https://xn--exmple-4nf.com/%E7%8C%AB?q=%E2%80%8B&${"long=".repeat(60)}`;
    host.emit(...ask("w", "web_fetch", named, { access: "web", url }));
    for (const place of [row("approval"), page.locator(".ask")]) {
      await expect.poll(() => place.textContent()).toContain(url);
      await expect.poll(() => place.textContent()).toContain("https://exаmple.com/猫?q=‹U+200B›");
    }
    await page.getByRole("region", { name: "Fetch this URL?" }).waitFor();
    await expect.poll(overflow).toBe(0);
    await picture("web-approval");
    // The same text is not shown twice to those who read only the question.
    host.emit(
      ...done("w"),
      ...ask("x", "web_fetch", "https://a.example/", { access: "web", url: "https://a.example/" }),
    );
    await expect.poll(() => page.locator(".ask-subject").textContent()).toContain("https://a.example/");
    expect(await page.locator(".ask .facts").count()).toBe(0);
  });

  it("approves that call, with the comment, once", async () => {
    host.emit(...ask("c", "execute_command", "npm test", { command: "npm test" }));
    await page.getByTestId("approve-with-comment").fill("only the unit tests");
    await page.getByTestId("approve").dblclick();
    expect(await host.called("chat/approve")).toEqual({ callId: "c", comment: "only the unit tests" });
    host.emit(...done("c"));
    await page.getByTestId("approve").waitFor({ state: "detached" });
    expect(host.named("chat/approve")).toHaveLength(1);
    await row("command").waitFor();
  });

  it("rejects, and leaves no comment for the next one", async () => {
    host.emit(...ask("a", "execute_command", "one", { command: "one" }));
    host.emit(...ask("b", "execute_command", "two", { command: "two" }));
    await page.getByTestId("approve-with-comment").fill("not this");
    await page.getByTestId("reject").click();
    expect(await host.called("chat/reject")).toEqual({ callId: "a", comment: "not this" });
    host.emit({ type: "call-done", callId: "a", outcome: "rejected" });
    await page.locator(".ask").getByText("two").waitFor();
    await expect.poll(() => page.getByTestId("approve-with-comment").inputValue()).toBe("");
    await expect.poll(() => page.getByTestId("approve").count()).toBe(1);
    await page.getByTestId("reject").click();
    expect(await host.called("chat/reject", 2)).toEqual({ callId: "b" });
  });

  it("never takes the focus, and is not answered by typing", async () => {
    await page.getByTestId("chat-input").click();
    await page.keyboard.type("while I ");
    host.emit(...ask("c", "execute_command", "npm test", { command: "npm test" }));
    await page.getByTestId("approve").waitFor();
    await page.keyboard.type("type ");
    await page.keyboard.press("Enter");
    expect(await host.called("chat/send")).toEqual({ text: "while I type " });
    await expect.poll(() => focused()).toBe("chat-input");
    expect(host.named("chat/approve")).toEqual([]);
    await page.getByTestId("approve-with-comment").click();
    await page.keyboard.type("note");
    await page.keyboard.press("Enter");
    expect(host.named("chat/approve")).toEqual([]);
    expect(host.named("chat/reject")).toEqual([]);
    await expect.poll(() => focused()).toBe("approve-with-comment");
  });

  it.each(["Enter", " "])("is answered by keyboard: %j", async (key) => {
    host.emit(...ask("c", "execute_command", "npm test", { command: "npm test" }));
    await page.getByTestId("approve-with-comment").focus();
    for (let tabs = 0; tabs < 3; tabs++) await page.keyboard.press("Tab");
    await expect.poll(() => focused()).toBe("reject");
    await page.keyboard.press(key);
    expect(await host.called("chat/reject")).toEqual({ callId: "c" });
    await expect.poll(() => focused()).toBe("chat-input");
  });

  it("can be answered again when the host did not take it", async () => {
    host.failing.set("chat/approve", "the host is busy");
    host.emit(...ask("c", "execute_command", "npm test", { command: "npm test" }));
    await page.getByTestId("approve").click();
    await page.getByText("the host is busy").waitFor();
    host.failing.clear();
    await page.getByTestId("approve").click();
    await host.called("chat/approve", 2);
  });

  it("is there again after a reload", async () => {
    host.emit(...ask("c", "execute_command", "npm test", { command: "npm test" }));
    await page.getByTestId("approve").waitFor();
    await page.reload();
    await page.getByTestId("approve").click();
    expect(await host.called("chat/approve")).toEqual({ callId: "c" });
  });
});

describe("what the agent hands over", () => {
  const call = (name: string, params: Record<string, unknown>) =>
    assistant({ type: "tool-call", id: "t", name, params });

  it("is a question, answered by an option or not at all", async () => {
    host.emit(
      call("ask_followup_question", { question: "Which **one**?", options: ["neko.txt", "inu.txt"] }),
    );
    host.emit({ type: "call-done", callId: "t", outcome: "done" });
    await page.getByRole("button", { name: "inu.txt" }).click();
    expect(await host.called("chat/send")).toEqual({ text: "inu.txt" });
    host.emit(user("inu.txt"));
    await row("user").nth(1).waitFor();
    await page.getByRole("button", { name: "neko.txt" }).click({ force: true });
    expect(host.named("chat/send")).toHaveLength(1);
  });

  it("is a result, whose command runs on a press alone", async () => {
    host.emit(call("attempt_completion", { result: "It is **done**.", command: "npm start" }));
    host.emit({ type: "call-done", callId: "t", outcome: "done" });
    await row("result").getByText("npm start").waitFor();
    await expect.poll(() => row("result").locator("strong").textContent()).toBe("done");
    expect(host.named("host/run-proposal")).toEqual([]);
    await page.getByRole("button", { name: "Run this command" }).click();
    expect(await host.called("host/run-proposal")).toEqual({ callId: "t" });
  });

  it("is a plan, carried out by its button", async () => {
    host.emit({ type: "mode", mode: "plan" }, call("plan_mode_respond", { response: "1. look\n2. write" }));
    host.emit({ type: "call-done", callId: "t", outcome: "done" });
    await page.getByRole("button", { name: "Switch to Act and start" }).click();
    expect(await host.called("chat/start-plan")).toEqual({});
    host.emit({ type: "status", status: "running" });
    await page.getByTestId("start-answer").waitFor({ state: "detached" });
  });

  it("is an error, with the ways on while it is the last word", async () => {
    host.emit({
      type: "error",
      id: id(),
      error: { code: "bad-key", subject: "api.example.com", detail: "401" },
    });
    await row("error").getByText("api.example.com rejected the API key.").waitFor();
    await page.getByRole("button", { name: "Set API key" }).click();
    await host.called("host/set-key");
    await page.getByTestId("retry").click();
    await host.called("chat/retry");
    host.emit({ type: "status", status: "waiting" });
    await page.getByTestId("retry").waitFor({ state: "detached" });
  });

  it("offers to allow the command for good where its words can be stored", async () => {
    const asks = async (callId: string, command: string) => {
      host.emit(...ask(callId, "execute_command", command, { command, always: command }));
      await page.locator(".ask .command").getByText(command, { exact: true }).waitFor();
    };
    await asks("a", "npm test");
    await page.getByTestId("approve-more").click();
    await page.getByRole("menu").getByText("npm test", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByTestId("reject").click();
    expect(await host.called("chat/reject")).toEqual({ callId: "a" });
    host.emit({ type: "call-done", callId: "a", outcome: "rejected" });
    await asks("b", "npm run b");
    await page.getByTestId("approve").click();
    expect(await host.called("chat/approve")).toEqual({ callId: "b" });
    host.emit(...done("b"));
    await asks("c", "npm run c");
    await page.getByTestId("approve-more").click();
    await page.getByRole("menuitem", { name: "Always allow" }).click();
    expect(await host.called("chat/approve", 2)).toEqual({ callId: "c", allow: "always" });
    host.emit(...done("c"));
    host.emit(...ask("d", "execute_command", "sh x.sh", { command: "sh x.sh" }));
    await page.locator(".ask").getByText("sh x.sh").waitFor();
    await page.getByTestId("approve-more").click();
    await expect.poll(() => page.getByRole("menuitem").allTextContents()).toEqual(["Run with a comment…"]);
  });

  it("names every file of a patch, and what becomes of it", async () => {
    host.emit(
      ...ask("p", "apply_patch", "a.txt, b.txt", {
        access: "edit",
        path: "a.txt",
        files: [
          { path: "a.txt", kind: "update", added: 1, removed: 2 },
          { path: "b\u202e.txt", kind: "move", to: "c.txt", added: 0, removed: 0 },
        ],
      }),
    );
    await page.getByText("Apply these changes?").first().waitFor();
    for (const shown of [await row("approval").textContent(), await page.locator(".ask").textContent()]) {
      expect(shown).toContain("Changes a.txt Lines added: 1, removed: 2+1−2");
      expect(shown).toContain("Moves b‹U+202E›.txt → c.txt");
    }
  });

  it("shows the context of a new task as it will be", async () => {
    host.emit({ type: "call", messageId: id(), callId: "n", tool: "new_task", subject: "" });
    host.emit({ type: "call-text", callId: "n", delta: "# Next steps\n\n- one" });
    host.emit(...ask("n", "new_task", "", { access: "talk", text: "# Next steps" }).slice(1));
    await page.getByText("Start a new task with this context?").first().waitFor();
    await row("approval").getByRole("heading", { name: "Next steps" }).waitFor();
  });
});
