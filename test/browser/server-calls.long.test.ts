/**
 * Calls of MCP servers: their approval, their questions, and what they returned. test/browser/{approvals,screens} and
 * test/unit/core/loop/servers-loop prove for `npm test` what is asked, answered and shown.
 */
import { beforeEach, describe, expect, it } from "vitest";
import type { EventBody } from "../../src/shared/event.ts";
import { reasonOf } from "../../src/shared/reason.ts";
import type { ServerForm } from "../../src/shared/server-form.ts";
import type { ToolPresentation } from "../../src/shared/tool-presentation.ts";
import { findings } from "./support/axe.ts";
import { japanese } from "./support/boot.ts";
import { ask, done, id, session, text, user } from "./support/events.ts";
import {
  announcing,
  focused,
  host,
  input,
  openPanel,
  overflow,
  page,
  picture,
  row,
  servePanels,
} from "./support/suite.ts";

servePanels();
beforeEach(() => {
  host.view = { ...host.view, faces: { ...host.view.faces, memory__create: FACE } };
});

const FACE: ToolPresentation = {
  icon: "plug",
  title: { doing: "Using MCP tool", done: "Used MCP tool" },
  row: "tool",
  question: "Call this tool of the MCP server?",
};
const call = (callId: string): EventBody[] => [
  { type: "call", messageId: id(), callId, tool: "memory__create", subject: "memory: create" },
];
const server = {
  name: "memory",
  tool: "create",
  title: "Create entities",
  description: `Creates entities.\n\n${"More about it. ".repeat(20)}`,
  arguments: JSON.stringify(
    { names: ["ネコ", "in\u200bvisible"], count: 2, force: true, none: null },
    null,
    2,
  ),
};

describe("the approval of a server's call", () => {
  beforeEach(async () => {
    await openPanel({ width: 250, height: 900 });
    host.emit(session(), user("remember"));
    host.emit(
      ...ask("c1", "memory__create", "memory: create", {
        access: "mcp",
        reason: reasonOf("mcp-destructive"),
        server,
        always: "memory: create",
      }),
    );
  });
  const bar = () => page.locator(".ask");

  it("shows server, tool and arguments exactly, with what is unseen written out", async () => {
    await bar().getByTestId("server-call").waitFor();
    await expect
      .poll(() => bar().locator(".server-call .facts > div").allTextContents())
      .toEqual(["Servermemory", "Toolcreate (Create entities)"]);
    const args = bar().getByRole("group", { name: "Arguments" });
    await expect.poll(() => args.textContent()).toBe(server.arguments.replace("\u200b", "‹U+200B›"));
    await expect.poll(() => args.locator(".hidden-character").textContent()).toBe("‹U+200B›");
    await args.locator(".hljs-attr").first().waitFor();
    await expect
      .poll(() => args.locator(".hljs-attr").allTextContents())
      .toEqual(['"names"', '"count"', '"force"', '"none"']);
    await row("approval").getByText("the server says that the tool deletes or overwrites data").waitFor();
    await expect.poll(overflow).toBe(0);
    await picture("server-approval-250");
    expect(await findings(page)).toEqual([]);
  });

  it("unfolds the description, and says what always allowing stores", async () => {
    expect(await bar().textContent()).not.toContain("More about it.");
    await bar().getByText("Full description").click();
    await bar().getByText("More about it. More about it.").waitFor();
    await page.getByTestId("approve-more").click();
    await page.getByRole("menu").getByText("memory: create", { exact: true }).waitFor();
    await expect
      .poll(() => page.getByRole("menuitem").allTextContents())
      .toEqual(["Allow in this session", "Allow in this workspace", "Always allow", "Call with a comment…"]);
    await page.getByRole("menuitem", { name: "Always allow" }).click();
    expect(await host.called("chat/approve")).toEqual({ callId: "c1", allow: "always" });
  });
});

const field = (name: string, kind: object, more: object = {}) => ({
  name,
  title: name,
  required: false,
  kind,
  ...more,
});
const form: ServerForm = {
  id: "f1",
  server: "memory",
  message: "Who are\u202e you?",
  ask: {
    type: "fields",
    fields: [
      field("Name", { type: "text", minLength: 2 }, { required: true, description: "As on your passport" }),
      field("Mail", { type: "text", format: "email" }),
      field("Age", { type: "number", integer: true, min: 18 }, { required: true }),
      field("News", { type: "boolean", initial: true }),
      field(
        "Color",
        {
          type: "choice",
          choices: [
            { value: "r", title: "Red" },
            { value: "g", title: "Green" },
          ],
        },
        { required: true },
      ),
      field("Pets", {
        type: "choices",
        min: 1,
        choices: [
          { value: "c", title: "Cat" },
          { value: "d", title: "Dog" },
        ],
      }),
    ] as Extract<ServerForm["ask"], { type: "fields" }>["fields"],
  },
};

function asks(asked: ServerForm = form): void {
  host.emit(session(), user("remember"), ...call("c1"));
  host.emit({ type: "call-running", callId: "c1" }, { type: "status", status: "running" });
  host.emit({ type: "form", callId: "c1", form: asked }, { type: "status", status: "approval" });
}
const question = () => page.getByTestId("server-question");

describe("a question of a server", () => {
  it("appears in the row, is announced, and leaves the focus and what is typed alone", async () => {
    await openPanel({ width: 250, height: 1000 });
    await announcing();
    host.emit(session(), user("before"));
    await row("user").waitFor();
    await input().click();
    await page.keyboard.type("typing");
    asks();
    await question().waitFor();
    await page.keyboard.type(" on");
    await expect.poll(() => input().inputValue()).toBe("typing on");
    await expect.poll(focused).toBe("chat-input");
    await page
      .locator("[role=status]", { hasText: "memory asks you: Who are‹U+202E› you?" })
      .waitFor({ state: "attached" });
    await expect.poll(overflow).toBe(0);
    await picture("server-form-250");
    expect(await findings(page)).toEqual([]);
  });

  it("is checked before it is sent, field by field, and filled by keyboard", async () => {
    asks();
    await openPanel({ height: 1000 });
    await question().waitFor();
    await question().getByLabel("Name").focus();
    await page.keyboard.type("A");
    await question().getByLabel("Mail").fill("not a mail");
    await question().getByLabel("Age").fill("17.5");
    await page.getByTestId("form-submit").focus();
    await page.keyboard.press("Enter");
    const problems = question().locator(".server-field .bad");
    await expect
      .poll(async () => (await problems.allTextContents()).filter((each) => each !== ""))
      .toEqual([
        "Must have at least 2 characters.",
        "Must be an email address.",
        "Must be a whole number.",
        "A value is required.",
      ]);
    expect(host.named("chat/answer-form")).toEqual([]);
    expect(
      await question()
        .getByLabel("Name")
        .evaluate((one) => one === document.activeElement),
    ).toBe(true);
    await expect.poll(() => question().getByLabel("Age").getAttribute("aria-invalid")).toBe("true");
    await picture("server-form-problems");
    await page.keyboard.type("da");
    await question().getByLabel("Mail").fill("");
    await question().getByLabel("Age").fill("36");
    await question().getByLabel("Color").selectOption("g");
    await question().getByLabel("Dog").check();
    await page.getByTestId("form-submit").click();
    expect(await host.called("chat/answer-form")).toEqual({
      id: "f1",
      answer: { action: "accept", values: { Name: "Ada", Age: 36, News: true, Color: "g", Pets: ["d"] } },
    });
    host.emit({ type: "form", callId: "c1" }, { type: "status", status: "running" });
    await question().waitFor({ state: "detached" });
  });

  it.each([
    ["form-decline", "decline"],
    ["form-cancel", "cancel"],
  ])("is refused with %s", async (button, action) => {
    asks();
    await openPanel();
    await page.getByTestId(button).press("Enter");
    expect(await host.called("chat/answer-form")).toEqual({ id: "f1", answer: { action } });
  });

  it("is still there after the page was loaded again", async () => {
    asks();
    await openPanel({ boot: japanese, width: 250, theme: "light" });
    await question().waitFor();
    await page.reload();
    await question().getByText("memory からの質問:").waitFor();
    await picture("server-form-ja-250");
  });

  it("shows an address with its host in Punycode, and opens it only on a press", async () => {
    const url = "https://user@exаmple.com/pay?to=\u200bx";
    asks({ ...form, ask: { type: "address", url } });
    await openPanel();
    const address = page.getByTestId("form-address");
    await address.waitFor();
    await expect.poll(() => address.textContent()).toBe("https://user@xn--exmple-4nf.com/pay?to=%E2%80%8Bx");
    await expect.poll(() => address.locator("strong").textContent()).toBe("xn--exmple-4nf.com");
    expect(host.named("host/open-link")).toEqual([]);
    await page.getByTestId("form-done").click({ force: true });
    expect(host.named("chat/answer-form")).toEqual([]);
    await page.getByTestId("form-open").click();
    expect(await host.called("host/open-link")).toEqual({
      url: "https://user@xn--exmple-4nf.com/pay?to=%E2%80%8Bx",
    });
    await page.getByTestId("form-done").click();
    expect(await host.called("chat/answer-form")).toEqual({
      id: "f1",
      answer: { action: "accept", values: {} },
    });
  });

  it("has no way to open anything but a web address", async () => {
    asks({ ...form, ask: { type: "address", url: "file:///etc/passwd" } });
    await openPanel();
    await question().getByText("This is not a web address").waitFor();
    expect(await page.getByTestId("form-open").count()).toBe(0);
  });
});

describe("the row of a server's call", () => {
  it("shows progress while it runs, and afterwards the output in a fold", async () => {
    await openPanel();
    host.emit(session(), user("remember"), ...call("c1"), { type: "call-running", callId: "c1" });
    host.emit({ type: "output", callId: "c1", delta: "50% halfway\n" });
    await row("tool").getByText("50% halfway").waitFor();
    host.emit({
      type: "call-done",
      callId: "c1",
      outcome: "done",
      shown: { output: "line\u200b\n".repeat(50) },
    });
    host.emit(...done("c1").slice(1), text("Done."));
    await row("text").waitFor();
    expect(await row("tool").locator("pre").count()).toBe(0);
    await row("tool").getByText("Output").click();
    const output = row("tool").getByRole("group", { name: "Output" });
    await expect.poll(() => output.textContent()).toContain("line‹U+200B›");
    await expect.poll(async () => (await output.boundingBox())?.height).toBeLessThan(300);
  });

  it("says in the user's language why the call failed, and shows what the server printed", async () => {
    await openPanel({ boot: japanese, width: 250 });
    host.emit(session(), user("remember"), ...call("c1"), { type: "call-running", callId: "c1" });
    host.emit({
      type: "call-done",
      callId: "c1",
      outcome: "failed",
      shown: {
        text: "MCP server memory: the server exited with code 3. It ended before it answered.",
        fault: reasonOf("mcp-exit-code", "3"),
        output: "no database",
      },
    });
    await row("tool").getByText("サーバーがコード 3 で終了しました").waitFor();
    await row("tool").getByText("no database").waitFor();
    expect(await row("tool").textContent()).not.toContain("exited");
    await expect.poll(overflow).toBe(0);
    await picture("server-call-failed-ja-250");
  });
});
