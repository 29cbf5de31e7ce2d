/** The model writes a commit message beside the conversation: from the changes of a turn alone, counted, and cancelable. */
import { afterEach, describe, expect, it } from "vitest";
import {
  CommitMessageFailure,
  commitMessageFrom,
} from "../../../../src/core/agent/extras/commit-message-request.ts";
import type { ChangedText } from "../../../../src/core/agent/extras/commit-messages.ts";
import { withinRoom } from "../../../../src/core/context/within-room.ts";
import { ProviderError } from "../../../../src/core/errors.ts";
import type { ScriptTurn } from "../../../model-server/script.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";

let agent: Agent;

const usage = { promptTokens: 100, completionTokens: 10, cost: 0.25 };
const asked = (answer: ScriptTurn["answer"]): ScriptTurn => ({
  match: { system: "Write a Git commit message" },
  times: true,
  answer,
  usage,
});
const MESSAGE = asked([
  { text: "```\nfeat: feed the cat\n" },
  { hold: "body" },
  { text: "\nIt was hungry.\n```" },
]);

async function start(message: ScriptTurn, approval = {}): Promise<string> {
  const turns: ScriptTurn[] = [message, { times: true, answer: [{ text: "Done, and fed." }], usage }];
  agent = await startAgent({ script: { turns }, protocol: "native", approval, apiKey: "sk-secret-key-1234" });
  await agent.view.send("Please feed it");
  await agent.view.active.idle;
  return agent.view.active.chatView.settled[0]?.id ?? "";
}

const file = (
  name: string,
  before: string | null | undefined,
  after: string | null | undefined,
): ChangedText => ({
  ...{ path: `/project/${name}`, name },
  ...{ before, after },
});
const FILES = [file("cat.txt", "hungry\nasleep\n", "fed\nasleep\n"), file("bowl.txt", null, "milk\n")];

function write(turn: string, files: readonly ChangedText[] = FILES) {
  const controller = new AbortController();
  const texts: string[] = [];
  let resolve = () => {};
  const begun = new Promise<void>((done) => {
    resolve = done;
  });
  const onText = (text: string) => {
    texts.push(text);
    if (text.includes("the cat")) resolve();
  };
  const { signal } = controller;
  const message = agent.view.active.extras.commitMessages.write(turn, files, { signal, onText });
  return { controller, texts, begun, message };
}
const request = () => agent.server.requests.at(-1)?.text ?? "";

describe("a commit message", () => {
  afterEach(async () => {
    expect(agent.server.refusals).toEqual([]);
    await agent.close();
  });

  it("is written from the request and the differences, not stored, and its cost counts", async () => {
    const turn = await start(MESSAGE);
    const before = agent.view.active.chatView;
    const { message, texts, begun } = write(turn);
    await begun;
    expect(texts.at(-1)).toBe("```\nfeat: feed the cat\n");
    agent.server.release("body");
    expect(await message).toBe("feat: feed the cat\n\nIt was hungry.");
    expect(agent.view.active.chatView.totals).toMatchObject({ requests: 2, cost: 0.5, contextTokens: 110 });
    expect(agent.view.active.chatView.settled).toEqual(before.settled);
    const { text: stored } = await agent.project.library.export(agent.view.active.id, "json", (text) => text);
    expect(stored).not.toContain("feed the cat");
    expect(agent.server.chat(2).tools ?? []).toEqual([]);
    for (const part of [
      "Please feed it",
      "--- cat.txt (changed)",
      "-hungry\\n+fed",
      "--- bowl.txt (new file)",
      "+milk",
    ])
      expect(request()).toContain(part);
    expect(request()).not.toContain("and fed");
    // A fraction of what begins every request of the session.
    expect(request().length).toBeLessThan((agent.server.requests[0]?.text.length ?? 0) / 4);
  });

  it("that the user cancels is counted as far as it arrived", async () => {
    const turn = await start(MESSAGE);
    const { message, controller, begun } = write(turn);
    await begun;
    controller.abort();
    await expect(message).rejects.toThrow();
    expect(agent.view.active.chatView.totals).toMatchObject({
      requests: 2,
      estimatedTokens: expect.any(Number),
    });
    agent.server.release("body");
  });

  it("that is being written when the task is left is canceled, and the task closes", async () => {
    const turn = await start(MESSAGE);
    const { message } = write(turn);
    const failed = expect(message).rejects.toThrow();
    await agent.server.waitForHold("body");
    await agent.view.newTask();
    await failed;
    agent.server.release("body");
    expect((await agent.project.history())[0]?.title).toBe("Please feed it");
  });

  it("names why it was not written", async () => {
    const code = async (files?: readonly ChangedText[]) => {
      const error: unknown = await write(turn, files).message.catch((thrown: unknown) => thrown);
      return error instanceof CommitMessageFailure ? error.code : error;
    };
    const turn = await start(asked([{ text: "```\n\n```" }]), { maxCost: 0.5 });
    expect(await code([])).toBe("no-changes");
    expect(await code()).toBe("no-answer");
    expect(await code()).toBe("limit");
    expect(agent.server.requests).toHaveLength(2);
  });

  it("fails with the endpoint's error", async () => {
    const fault = { kind: "status" as const, status: 401 };
    const turn = await start({ match: { system: "Write a Git commit message" }, times: true, fault });
    await expect(write(turn).message).rejects.toThrow(ProviderError);
    expect(agent.view.active.chatView.totals.requests).toBe(1);
  });

  it("is asked for without what the model may not read, without keys, and shortened", async () => {
    const turn = await start(asked([{ text: "fix: x" }]));
    const long = `${"a line of a long file\n".repeat(3_000)}`;
    const files = [
      file("long.txt", null, long),
      file("short.txt", "a\n", "b sk-secret-key-1234\n"),
      file("cat.png", undefined, undefined),
      file("gone.txt", "secret of the past\n", null),
      { ...file("out.txt", "x\n", "private\n"), path: "/elsewhere/out.txt", name: "../out.txt" },
    ];
    expect(await write(turn, files).message).toBe("fix: x");
    const text = request();
    expect(text.length).toBeLessThan(30_000);
    expect(text).toMatch(/\(\d+ more lines\)/);
    expect(text).toContain("-a\\n+b");
    expect(text).not.toContain("sk-secret-key-1234");
    expect(text).toContain("cat.png (changed)\\n(not text");
    expect(text).toContain("gone.txt (deleted)");
    expect(text).not.toContain("secret of the past");
    expect(text).toContain("../out.txt (changed)\\n(its content is private)");
    expect(text).not.toContain("+private");
  });
});

it("shares the room so that short texts stay whole", () => {
  const long = "x".repeat(100);
  const [a = "", b = "", c = ""] = withinRoom([long, "short", long], 85);
  expect(b).toBe("short");
  expect([a, c].map((text) => /^x*/.exec(text)?.[0].length)).toEqual([40, 40]);
  expect(withinRoom(["a", "b"], 2)).toEqual(["a", "b"]);
});

it.each([
  ["<think>hm</think>\nfix: a\n\nb", "fix: a\n\nb"],
  ["```text\nfix: a\n```", "fix: a"],
  ["", ""],
])("reads %j", (answer, message) => {
  expect(commitMessageFrom(answer)).toBe(message);
});
