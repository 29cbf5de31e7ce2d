/** The main job on a real project, as far as it needs no editor: what the user decides, what is on disk, what the model is told. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { NEKO_BEFORE, nekoScript } from "../../model-server/scripts/neko.ts";
import { planScript } from "../../model-server/scripts/plan.ts";
import { todoScript } from "../../model-server/scripts/todo.ts";
import { type ModelServer, startModelServer } from "../../model-server/server.ts";
import { openProjectPanel, type ProjectPanel } from "../support/project-panel.ts";

const BEFORE = `${NEKO_BEFORE}\n`;

let server: ModelServer;
let nekode: ProjectPanel;

beforeAll(async () => {
  server = await startModelServer({ script: { turns: [] } });
});
beforeEach(() => server.forgetRequests());
afterEach(() => expect(server.refusals).toEqual([]));
afterAll(() => server.close());

/** Opens a panel for the tests of a `describe` block, each of which begins with a new task. */
function open(protocol: "native" | "xml", files: Record<string, string>): void {
  beforeAll(async () => {
    nekode = await openProjectPanel({
      files,
      modelServer: { baseUrl: server.url },
      settings: { "nekode.provider.protocol": protocol },
    });
  });
  beforeEach(() => nekode.newTask());
  afterAll(() => nekode.close());
}

describe("under tool calls as text", () => {
  open("xml", { "neko.txt": BEFORE });

  it("an edit that is rejected with a comment: the bytes stay, and the model is told", async () => {
    server.setScript(nekoScript());
    await nekode.send("@/neko.txt 猫を犬にしてください");
    await nekode.page.getByTestId("approve-with-comment").click();
    await nekode.page.keyboard.insertText("狸のほうがいい");
    await nekode.page.getByTestId("reject").click();
    await nekode.row("result").waitFor();
    expect(await nekode.workspace.read("neko.txt")).toBe(BEFORE);
    const told = JSON.stringify(server.chat(2).messages.at(-1));
    expect(told).toContain("rejected");
    expect(told).toContain("狸のほうがいい");
  });

  it("plan mode refuses a write, shows the plan, and carries it out when the user starts it", async () => {
    server.setScript(planScript());
    await nekode.page.getByTestId("mode-plan").click();
    await nekode.send("Write a greeting");
    await nekode.row("result", "greeting.txt").waitFor();
    expect(nekode.workspace.exists("greeting.txt")).toBe(false);
    expect(JSON.stringify(server.chat(2).messages.at(-1))).toContain("cannot be used in PLAN MODE");
    await nekode.page.getByTestId("mode-act").click();
    // The switch sends nothing.
    await nekode.page.getByTestId("plan-waits").waitFor();
    expect(server.requests).toHaveLength(2);
    await nekode.page.getByTestId("start-answer").click();
    await nekode.page.getByTestId("approve").click();
    await nekode.row("result", "Wrote").waitFor();
    expect(await nekode.workspace.read("greeting.txt")).toBe("Hello.\n");
  });
});

describe("under native tool calls", () => {
  open("native", { "index.html": "<!DOCTYPE html>\n<html>\n</html>\n" });

  it("makes the Todo application, three files", async () => {
    server.setScript(todoScript());
    await nekode.send("シンプルなTodoアプリを作成して");
    for (const name of ["index.html", "style.css", "script.js"]) {
      await nekode.page.locator(".ask-subject").filter({ hasText: name }).waitFor();
      await nekode.page.getByTestId("approve").click();
    }
    await nekode.row("result").waitFor();
    expect(await nekode.workspace.read("index.html")).toContain("style.css");
    expect(await nekode.workspace.read("script.js")).toContain("addEventListener");
    expect(server.chat(1).tools?.length).toBeGreaterThan(5);
  });

  it("refuses in plan mode what was streamed in act mode when the switch came first", async () => {
    nekode.host.set("nekode.approval.edit", true);
    server.setScript({
      turns: [
        {
          match: { request: 1 },
          answer: [
            { text: "I will write it now. " },
            { hold: "middle" },
            { tool: "write_to_file", params: { path: "made.txt", content: "made\n" } },
          ],
        },
        {
          match: { request: 2 },
          answer: [{ tool: "plan_mode_respond", params: { response: "Then this is the plan." } }],
        },
        {
          match: { request: 3 },
          answer: [{ tool: "attempt_completion", params: { result: "Nothing is left." } }],
        },
      ],
    });
    await nekode.send("Write it");
    await server.waitForHold("middle");
    await nekode.row("text", "I will write").waitFor();
    await nekode.page.getByTestId("mode-plan").click();
    // The host has the switch when the page shows it.
    await nekode.page
      .locator("[data-testid=mode-plan]:is([aria-pressed=true], [aria-checked=true], [aria-selected=true])")
      .waitFor();
    server.release("middle");
    await nekode.row("result", "Then this is the plan.").waitFor();
    expect(nekode.workspace.exists("made.txt")).toBe(false);
    expect(JSON.stringify(server.chat(2).messages.at(-1))).toContain("PLAN MODE");
    nekode.host.set("nekode.approval.edit", undefined);
    // The task goes on in act mode.
    await nekode.page.getByTestId("start-answer").click();
    await nekode.row("result", "Nothing is left.").waitFor();
  });
});
