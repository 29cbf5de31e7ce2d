/** The reference exchange, request by request: a mention, a diff, an approval, the final content, the result. */
import { afterEach, describe, expect, it } from "vitest";
import { NEKO_AFTER, NEKO_BEFORE, nekoScript } from "../../../model-server/scripts/neko.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";

let agent: Agent;
afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await agent.close();
});

const WISH = "@/neko.txt \n猫を犬にしてください";
const BEFORE = `${NEKO_BEFORE}\n`;
const AFTER = `${NEKO_AFTER}\n`;

function texts(message: unknown): string[] {
  const { content } = message as { content: { text: string }[] };
  return content.map((part) => part.text);
}

describe.each(["xml", "native"] as const)("the reference exchange under %s", (protocol) => {
  async function start() {
    agent = await startAgent({ script: nekoScript(), protocol, files: { "neko.txt": BEFORE } });
    const asked = agent.asked();
    await agent.view.send(WISH);
    return asked;
  }

  it("sends the task, the todo text and the environment as separate parts", async () => {
    await start();
    const [task = "", todo = "", environment = ""] = texts(agent.server.chat(1).messages[1]);
    expect(task).toBe(
      `<task>\n'neko.txt' (see below for file content) \n猫を犬にしてください\n</task>\n\n<file_content path="neko.txt">\n${BEFORE}\n</file_content>`,
    );
    expect(todo).toMatch(/^# TODO LIST RECOMMENDED\n/);
    expect(environment).toMatch(/^<environment_details>\n# Visual Studio Code Visible Files\nneko\.txt\n/);
    expect(environment).toContain("# Current Working Directory (/project) Files\nneko.txt\n");
    expect(environment).toMatch(/# Current Time\n.*\(Asia\/Tokyo, UTC\+9:00\)/);
    expect(environment).toMatch(/# Current Mode\nACT MODE\n<\/environment_details>$/);
  });

  it("changes nothing before the approval, and exactly that after it", async () => {
    const callId = await start();
    expect(agent.files.get("/project/neko.txt")).toBe(BEFORE);
    expect(agent.shown.get("/project/neko.txt")).toBe(AFTER);
    expect(agent.view.active.approve(callId)).toBe(true);
    expect((await agent.view.active.idle)?.type).toBe("completed");
    expect(agent.files.get("/project/neko.txt")).toBe(AFTER);
    const second = agent.server.chat(2).messages;
    const sent = JSON.stringify(second.slice(-2));
    expect(sent).toContain('final_file_content path=\\"neko.txt\\"');
    expect(sent).toContain("ACT MODE");
    if (protocol === "xml") {
      expect(texts(second.at(-1))[0]).toBe("[replace_in_file for 'neko.txt'] Result:");
      expect(texts(second.at(-1))[1]).toContain(
        `<final_file_content path="neko.txt">\n${AFTER}\n</final_file_content>`,
      );
    } else expect(second.at(-2)).toMatchObject({ role: "tool" });
    expect(agent.calls().at(-1)).toMatchObject({ tool: "attempt_completion", state: "done" });
    expect(agent.view.active.chatView.todo).toMatch(/^- \[x\] /);
  });

  it("leaves the bytes on reject, and tells the model with the comment", async () => {
    const callId = await start();
    agent.view.active.reject(callId, "犬ではなく狸にして");
    expect((await agent.view.active.idle)?.type).toBe("completed");
    expect(agent.files.get("/project/neko.txt")).toBe(BEFORE);
    expect(agent.shown.has("/project/neko.txt")).toBe(false);
    const sent = JSON.stringify(agent.server.chat(2).messages);
    expect(sent).toContain("rejected");
    expect(sent).toContain("犬ではなく狸にして");
    expect(agent.calls()[0]).toMatchObject({ state: "rejected", shown: { comment: "犬ではなく狸にして" } });
  });

  it("tells the model what the user changed in the proposal", async () => {
    const callId = await start();
    agent.userEdits.set("/project/neko.txt", "吾輩は狸である。名前はまだ無い。\n");
    agent.view.active.approve(callId);
    await agent.view.active.idle;
    const sent = JSON.stringify(agent.server.chat(2).messages.slice(-2));
    expect(sent).toContain("-吾輩は犬である。");
    expect(sent).toContain("+吾輩は狸である。");
  });

  it("a message sent while a call waits is queued and approves nothing", async () => {
    const callId = await start();
    expect(await agent.view.send("yes, approve it")).toEqual({ queued: true });
    expect(agent.files.get("/project/neko.txt")).toBe(BEFORE);
    expect(agent.view.active.approvals.first).toBe(callId);
    expect(await agent.view.active.approvals.why(callId)).toMatchObject({ verdict: "ask" });
    expect(await agent.view.active.approvals.why("another")).toBeUndefined();
    agent.view.active.approve(callId);
    await agent.view.active.idle;
    expect(JSON.stringify(agent.server.chat(2).messages)).toContain(
      "<user_message>\\nyes, approve it\\n</user_message>",
    );
  });

  it("asks again after a restart, and approving works then", async () => {
    await start();
    await agent.restart();
    const callId = await agent.asked();
    expect(agent.files.get("/project/neko.txt")).toBe(BEFORE);
    expect(agent.calls()[0]).toMatchObject({
      state: "approval",
      approval: { path: "neko.txt", added: 1, removed: 1 },
    });
    agent.view.active.approve(callId);
    await agent.view.active.idle;
    expect(agent.files.get("/project/neko.txt")).toBe(AFTER);
  });

  it("asks after a restart even for what the settings allow", async () => {
    await start();
    agent.settings.approval.edit = true;
    await agent.restart();
    await agent.asked();
    expect(agent.files.get("/project/neko.txt")).toBe(BEFORE);
  });

  it("shows the same rows after a restart as before", async () => {
    const callId = await start();
    agent.view.active.approve(callId);
    await agent.view.active.idle;
    const shown = agent.rows();
    await agent.restart();
    expect(agent.rows()).toEqual(shown);
  });
});
