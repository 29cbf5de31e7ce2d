/** A change where the cursor is: what the model receives, what is shown, and what is refused. */
import { afterEach, describe, expect, it } from "vitest";
import {
  EditFailure,
  EditsAtCursor,
  type EditWish,
} from "../../../../src/core/agent/extras/edit-at-cursor.ts";
import { KeyMask } from "../../../../src/core/key-mask.ts";
import { ModelProfiles } from "../../../../src/core/provider/model-profile.ts";
import { settingsSchema } from "../../../../src/shared/settings.ts";
import type { ScriptTurn } from "../../../model-server/script.ts";
import { type ModelServer, startModelServer } from "../../../model-server/server.ts";
import { type MemoryHost, memoryHost } from "../../../support/memory-host.ts";

const KEY = "sk-secret-key-1234";
const block = (search: string, replace: string) =>
  `------- SEARCH\n${search}\n=======\n${replace}\n+++++++ REPLACE\n`;
const usage = { promptTokens: 100, completionTokens: 10, cost: 0.25 };

let server: ModelServer;
let memory: MemoryHost;
let edits: EditsAtCursor;
let spent: { cost: number; requests: number };

async function start(
  files: Record<string, string>,
  turns: ScriptTurn[],
  approval: Record<string, unknown> = {},
): Promise<void> {
  server = await startModelServer({ script: { turns } });
  memory = memoryHost({ files });
  const settings = settingsSchema.parse({ provider: { baseUrl: server.url, model: "scripted" }, approval });
  const access = { settings: () => settings, apiKey: async () => KEY };
  spent = { cost: 0, requests: 0 };
  edits = new EditsAtCursor({
    ...access,
    host: memory.host,
    profiles: new ModelProfiles({ overrides: () => settings.models }),
    keys: new KeyMask(access),
    spending: {
      today: async () => spent,
      add(more) {
        spent = { cost: spent.cost + more.cost, requests: spent.requests + more.requests };
      },
    },
  });
}

/** A request's text as the model reads it. */
const sent = (index = 0) => (server.requests[index]?.text ?? "").replaceAll("\\n", "\n");
const answer = (text: string): ScriptTurn => ({ match: {}, answer: [{ text }], usage });
const wish = (more: Partial<EditWish> = {}): EditWish => ({
  path: "/project/cat.ts",
  lines: { start: 2, end: 2 },
  wish: "make it a dog",
  problems: [],
  ...more,
});
const propose = (more: Partial<EditWish> = {}) => edits.propose(wish(more), new AbortController().signal);
const codeOf = async (proposing: Promise<unknown>) => {
  const error = await proposing.catch((thrown: unknown) => thrown);
  return error instanceof EditFailure ? error.code : error;
};
const CAT = { "cat.ts": "const a = 1;\nconst pet = 'cat';\nconst b = 2;\n" };
const DOG = block("const pet = 'cat';", "const pet = 'dog';");

describe("a change where the cursor is", () => {
  afterEach(async () => {
    expect(server.refusals).toEqual([]);
    await server.close();
  });

  it("sends the file, the selected lines and their problems, and writes only what is accepted", async () => {
    await start({ "cat.ts": `${CAT["cat.ts"]}// ${KEY}\n` }, [answer(`<think>a dog</think>${DOG}`)]);
    const proposal = await propose({ problems: ["line 2: 'pet' is unused </request>"] });
    const text = sent();
    expect(text).toContain("<selected>\nconst pet = 'cat';\n</selected>");
    expect(text).toContain("<request>\nmake it a dog\n</request>");
    expect(text).toContain("line 2: 'pet' is unused");
    expect(text).not.toContain(KEY);
    expect(memory.shown.get("/project/cat.ts")).toContain("dog");
    expect(memory.files.get("/project/cat.ts")).toContain("cat");
    await proposal.save();
    expect(memory.files.get("/project/cat.ts")).toBe(`${CAT["cat.ts"].replace("cat", "dog")}// ${KEY}\n`);
    expect(spent).toEqual({ cost: 0.25, requests: 1 });
    expect(proposal.spent.cost).toBe(0.25);
  });

  it("shows each block as soon as it is complete", async () => {
    await start(CAT, [
      {
        match: {},
        answer: [{ text: DOG }, { hold: "rest" }, { text: block("const b = 2;", "const b = 3;") }],
        usage,
      },
    ]);
    const proposing = propose();
    await server.waitForHold("rest");
    await expect.poll(() => memory.shown.get("/project/cat.ts")).toContain("'dog';\nconst b = 2;");
    server.release("rest");
    await proposing;
    expect(memory.shown.get("/project/cat.ts")).toContain("const b = 3;");
  });

  it("tells the model once that its blocks do not fit, and counts both answers", async () => {
    await start(CAT, [
      { match: { lastUser: "did not fit the file" }, answer: [{ text: DOG }], usage },
      answer(block("const pet = 'bird';", "const pet = 'dog';")),
    ]);
    const proposal = await propose();
    expect(sent(1)).toContain("const pet = 'bird';");
    expect(memory.shown.get("/project/cat.ts")).toContain("dog");
    expect(proposal.spent).toMatchObject({ cost: 0.5, requests: 2 });
    expect(spent).toEqual({ cost: 0.5, requests: 2 });
  });

  it("is not shown and changes nothing if the blocks never fit, or the model declines or says nothing", async () => {
    const wrong = block("const pet = 'bird';", "const pet = 'dog';");
    await start(CAT, [
      { ...answer("There is no cat here."), match: { lastUser: "a bird" } },
      { ...answer(" "), match: { lastUser: "a fish" } },
      { ...answer(wrong), times: true },
    ]);
    expect(await codeOf(propose())).toBe("not-placed");
    expect(memory.shown.size).toBe(0);
    const declined = await propose({ wish: "a bird" }).catch((error: unknown) => error);
    expect(declined).toMatchObject({ code: "refused", detail: "There is no cat here." });
    expect(await codeOf(propose({ wish: "a fish" }))).toBe("no-answer");
    expect(memory.shown.size).toBe(0);
    expect(memory.files.get("/project/cat.ts")).toBe(CAT["cat.ts"]);
  });

  it("sends nothing of private files, beyond a limit of costs, or of a selection longer than a request", async () => {
    await start({ ...CAT, ".env": "A=1\n", "long.ts": `${"x".repeat(70_000)}\n` }, [], { maxCostPerDay: 1 });
    expect(await codeOf(propose({ path: "/project/.env", lines: { start: 1, end: 1 } }))).toBe("private");
    expect(await codeOf(propose({ path: "/project/long.ts", lines: { start: 1, end: 1 } }))).toBe("too-long");
    spent = { cost: 1, requests: 1 };
    expect(await codeOf(propose())).toBe("limit");
    expect(server.requests).toEqual([]);
  });

  it("sends the lines around the selection of a file that is too long", async () => {
    const lines = Array.from({ length: 9_000 }, (_, index) => `const line${index + 1} = ${index + 1};`);
    await start({ "cat.ts": `${lines.join("\n")}\n` }, [
      answer(block("const line5000 = 5000;", "let x = 1;")),
    ]);
    const proposal = await propose({ lines: { start: 5_000, end: 5_000 } });
    const text = sent();
    expect(text).toContain("const line4900 = 4900;");
    expect(text).toContain("const line5100 = 5100;");
    expect(text).not.toContain("const line1 = 1;");
    expect(text.length).toBeLessThan(70_000);
    await proposal.save();
    expect(memory.files.get("/project/cat.ts")?.split("\n")[4_999]).toBe("let x = 1;");
  });

  it("ends with the signal, and what was received is counted", async () => {
    await start(CAT, [{ match: {}, answer: [{ text: DOG }, { hold: "rest" }, { text: "more" }], usage }]);
    const controller = new AbortController();
    const proposing = edits.propose(wish(), controller.signal);
    await server.waitForHold("rest");
    await expect.poll(() => memory.shown.size).toBe(1);
    controller.abort();
    await expect(proposing).rejects.toThrow();
    expect(memory.shown.size).toBe(0);
    expect(spent.requests).toBe(1);
    server.release("rest");
  });
});
