/**
 * The agent of an editor killed at any moment of a busy turn: what the editor saw done is in the loaded session. `../killed.test.ts`
 * proves it of the terminal host, and `sessions.test.ts` of an agent that asks.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ScriptTurn } from "../../model-server/server.ts";
import { generator, rounds, seedOf } from "../../support/random.ts";
import type { TranscriptRow } from "./editor.ts";
import { Stage } from "./stage.ts";

const seed = seedOf("killed-agent");
const kills = rounds(1, 100);
/** A step sends about ten updates, and more steps than are ever needed are in the script. */
const LATEST_UPDATE = 150;
const STEPS = 60;

const turns: ScriptTurn[] = [
  { match: { said: "finish now" }, times: true, answer: [{ text: "Finished." }] },
  ...Array.from({ length: STEPS }, (_, index): ScriptTurn => {
    const text = { text: `Step ${index}: 次に進みます。` };
    const tools = [
      { tool: "write_to_file", params: { path: `out-${index}.txt`, content: `内容 ${index}\n` } },
      { tool: "execute_command", params: { command: `echo ${index} >> log.txt`, requires_approval: false } },
    ];
    const tool = tools[index % tools.length];
    return { match: { request: index + 1 }, times: true, answer: tool ? [text, tool] : [text] };
  }),
];

let stage: Stage;

beforeEach(async () => {
  stage = await Stage.create({});
  stage.model.setScript({ chunkSize: 12, turns });
});
afterEach(() => stage.close());

const isDone = (row: TranscriptRow) => "call" in row && row.fields.status === "completed";
const callOf = (row: TranscriptRow) => ("call" in row ? row.call : "");

describe(`kill -9 at ${kills} moments of a busy turn (NEKODE_SEED=${seed})`, () => {
  const timeout = 120_000 + kills * 15_000;
  it("loses nothing that was reported done, and the session goes on", { timeout }, async () => {
    const next = generator(seed);
    const { folder } = stage.project;
    for (let kill = 0; kill < kills; kill++) {
      const moment = Math.floor(next() * LATEST_UPDATE);
      const where = `after ${moment} updates`;
      const args = ["--permission", "all", "--max-requests", "1000"];
      const editor = await stage.editor({ args, asProcess: true });
      const id = await editor.open(folder);
      const turn = editor.prompt(id, `work hard ${kill}`).catch((error: unknown) => error);
      await editor.until(
        () => editor.updates.length > moment && editor.of(id, "agent_message_chunk").length > 0,
      );
      editor.kill("SIGKILL");
      expect(await editor.ended, `${where}: it was at work`).toBeNull();
      await turn;
      const seen = editor.transcript(id).filter(isDone).map(callOf);
      const after = await stage.editor({ args });
      await after.load(id, folder);
      const loaded = after.transcript(id);
      expect(loaded[0], where).toMatchObject({ text: `work hard ${kill}` });
      expect(loaded.filter(isDone).map(callOf).slice(0, seen.length), where).toEqual(seen);
      const calls = loaded.map(callOf).filter((call) => call !== "");
      expect(new Set(calls).size, `${where}: each call once`).toBe(calls.length);
      expect(await after.prompt(id, "finish now"), where).toEqual({ stopReason: "end_turn" });
      expect(after.transcript(id).at(-1), where).toMatchObject({ text: "Finished." });
      await after.close();
    }
  });
});
