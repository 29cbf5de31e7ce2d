/** An answer that broke off, or is empty, is requested again where nobody can retry. */
import { afterEach, describe, expect, it } from "vitest";
import type { ScriptTurn } from "../../../model-server/server.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";

let agent: Agent;
afterEach(() => agent.close());

const DONE: ScriptTurn = { answer: [{ tool: "attempt_completion", params: { result: "Done." } }] };
const WRITE = { tool: "write_to_file", params: { path: "a.txt", content: "one\ntwo\n" } } as const;

async function run(turns: ScriptTurn[], unattended = true): Promise<unknown> {
  agent = await startAgent({ protocol: "native", script: { turns }, unattended, approval: { edit: true } });
  await agent.manager.send("do it");
  return agent.manager.idle;
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
    agent = await startAgent({ script: { turns: [garbled, garbled, DONE] }, approval: { edit: true } });
    agent.settings.provider.protocol = "auto";
    await agent.manager.send("do it");
    expect(await agent.manager.idle).toBe("completed");
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
});

it.each([[{ text: "Par" }], [{ reasoning: "Hm." }]])(
  "an answer that a filter ended is no answer: %j",
  async (...answer) => {
    expect(await run([{ answer, finishReason: "content_filter" }, DONE])).toBe("failed");
    expect(agent.rows()).toContainEqual(
      expect.objectContaining({ kind: "error", error: { code: "content-filtered" } }),
    );
    expect(agent.server.requests).toHaveLength(1);
  },
);
