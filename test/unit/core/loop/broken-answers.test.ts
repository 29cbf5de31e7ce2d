/** An answer that broke off, was cut or is empty is no answer, and is requested again where nobody can retry. */
import { afterEach, describe, expect, it } from "vitest";
import type { ScriptTurn } from "../../../model-server/server.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";
import { hurriedClock } from "../../../support/hurried-clock.ts";

let agent: Agent;
afterEach(() => agent.close());

const DONE: ScriptTurn = { answer: [{ tool: "attempt_completion", params: { result: "Done." } }] };
const WRITE = { tool: "write_to_file", params: { path: "a.txt", content: "one\ntwo\n" } } as const;

const errors = () => agent.rows().flatMap((row) => (row.kind === "error" ? [row.error.code] : []));

async function run(
  turns: ScriptTurn[],
  unattended = true,
  protocol: "native" | "xml" = "native",
): Promise<unknown> {
  const approval = { edit: true };
  agent = await startAgent({ protocol, script: { turns }, unattended, approval, clock: hurriedClock });
  await agent.view.send("do it");
  return (await agent.view.active.idle)?.type;
}

describe("an answer that breaks off", () => {
  it.each<[string, ScriptTurn]>([
    ["in its text", { answer: [{ text: "I will now read the file." }], fault: { kind: "cut", after: 3 } }],
    ["in a call", { answer: [{ text: "Writing." }, WRITE], fault: { kind: "cut", after: 4 } }],
    ["by an error", { answer: [{ text: "I will now read it." }], fault: { kind: "streamError", after: 3 } }],
  ])("%s is requested again, with what was received", async (_, first) => {
    expect(await run([first, DONE])).toBe("completed");
    expect(agent.server.requests).toHaveLength(2);
    expect(agent.server.chat(2).messages.map(({ role }) => role)).toContain("assistant");
    expect(agent.rows().some(({ kind }) => kind === "error")).toBe(false);
  });

  it("again and again ends the run", async () => {
    const cut: ScriptTurn = {
      answer: [{ text: "I will now read." }],
      fault: { kind: "cut", after: 3 },
      times: true,
    };
    expect(await run([cut])).toBe("failed");
    expect(agent.server.requests).toHaveLength(3);
  });

  it("waits for the user where there is one", async () => {
    const cut: ScriptTurn = {
      answer: [{ text: "I will now read." }],
      fault: { kind: "cut", after: 3 },
    };
    expect(await run([cut, DONE], false)).toBe("failed");
    expect(agent.server.requests).toHaveLength(1);
  });
});

describe("a call that the endpoint could not read", () => {
  const error = {
    message: "The model produced output that does not match the expected peg-native format",
    ...{ type: "server_error", code: 500 },
  };
  const garbled: ScriptTurn = {
    answer: [{ text: "I will write the file now, with all of its lines." }, WRITE],
    fault: { kind: "streamError", after: 3, error },
  };

  it.each([true, false])(
    "is asked for again, though nobody pressed anything; unattended: %s",
    async (unattended) => {
      expect(await run([garbled, DONE], unattended)).toBe("completed");
      expect(agent.server.requests).toHaveLength(2);
      expect(agent.rows().some(({ kind }) => kind === "error")).toBe(false);
    },
  );

  it("twice in a row is made in XML", async () => {
    const script = { turns: [garbled, garbled, DONE] };
    agent = await startAgent({ script, approval: { edit: true }, clock: hurriedClock });
    agent.settings.provider.protocol = "auto";
    await agent.view.send("do it");
    expect((await agent.view.active.idle)?.type).toBe("completed");
    expect([1, 2, 3].map((request) => agent.server.chat(request).tools !== undefined)).toEqual([
      true,
      true,
      false,
    ]);
  });

  it("again and again ends the run", async () => {
    expect(await run([{ ...garbled, times: true }], false)).toBe("failed");
    expect(agent.server.requests).toHaveLength(3);
  });
});

describe("an answer without text and calls", () => {
  it.each<[string, ScriptTurn]>([
    ["empty", { answer: [{ text: "" }] }],
    ["reasoning alone", { answer: [{ reasoning: "Hm." }] }],
  ])("%s: is requested once more", async (_, first) => {
    expect(await run([first, DONE])).toBe("completed");
    expect(agent.server.requests).toHaveLength(2);
  });

  it("twice ends the run", async () => {
    expect(await run([{ answer: [{ reasoning: "Hm." }], times: true }])).toBe("failed");
    expect(agent.server.requests).toHaveLength(2);
  });

  it("is requested again when the user retries", async () => {
    expect(await run([{ answer: [{ reasoning: "Hm." }] }, DONE], false)).toBe("failed");
    await agent.view.active.retry();
    expect((await agent.view.active.idle)?.type).toBe("completed");
    expect(agent.server.requests).toHaveLength(2);
  });
});

describe("an answer that a filter ended", () => {
  it.each([[{ text: "Par" }], [{ reasoning: "Hm." }]])("is no answer: %j", async (...answer) => {
    expect(await run([{ answer, finishReason: "content_filter" }, DONE])).toBe("failed");
    expect(errors()).toEqual(["content-filtered"]);
    expect(agent.server.requests).toHaveLength(1);
    await agent.view.active.retry();
    expect((await agent.view.active.idle)?.type).toBe("completed");
    expect(agent.server.requests).toHaveLength(2);
  });
});

describe.each(["native", "xml"] as const)("an answer that the output limit ended, under %s", (protocol) => {
  const part: ScriptTurn = {
    answer: [{ text: "The answer has three parts. The fir" }],
    finishReason: "length",
  };

  it("goes on where nobody can retry", async () => {
    expect(await run([part, DONE], true, protocol)).toBe("completed");
    expect(agent.server.requests).toHaveLength(2);
    expect(errors()).toEqual([]);
  });

  it("again and again is a failure", async () => {
    expect(await run([{ ...part, times: true }], true, protocol)).toBe("failed");
    expect(agent.server.requests).toHaveLength(3);
    expect(errors()).toEqual(["answer-cut"]);
  });

  it("is a failure where the user can retry, and goes on then", async () => {
    expect(await run([part, DONE], false, protocol)).toBe("failed");
    expect(errors()).toEqual(["answer-cut"]);
    expect(agent.server.requests).toHaveLength(1);
    await agent.view.active.retry();
    expect((await agent.view.active.idle)?.type).toBe("completed");
    expect(JSON.stringify(agent.server.chat(2).messages)).toContain("Continue from there.");
  });

  it("and whose calls are complete, runs them and says that it was cut", async () => {
    const read = { tool: "read_file", params: { path: "a.txt" } };
    expect(
      await run([{ answer: [{ text: "Reading." }, read], finishReason: "length" }, DONE], true, protocol),
    ).toBe("completed");
    expect(agent.rows()).toContainEqual(expect.objectContaining({ kind: "notice", code: "reply-cut" }));
    expect(errors()).toEqual([]);
  });
});
