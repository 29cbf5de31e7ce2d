/** A client of somebody else's, over an SDK of its own: acpx, which runs agents from a command line. */
import { spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { Stage } from "./stage.ts";

const repository = path.join(import.meta.dirname, "../../..");
const client = path.join(repository, "node_modules/acpx/dist/cli.js");
const agent = `${process.execPath} ${path.join(repository, "dist/cli.js")} acp`;

const NEKO = "cats\nare fine\n";
const EDIT = {
  tool: "replace_in_file",
  params: { path: "neko.txt", diff: "------- SEARCH\ncats\n=======\nmany cats\n+++++++ REPLACE" },
};
const DONE = { answer: [{ tool: "attempt_completion", params: { result: "All done." } }] };

const lineSchema = z.looseObject({ method: z.string().optional(), result: z.unknown().optional() });
type Line = z.infer<typeof lineSchema>;

let stage: Stage;

beforeEach(async () => {
  stage = await Stage.create({ "neko.txt": NEKO });
});
afterEach(() => stage.close());

interface ClientRun {
  lines: Line[];
  /** Resolves when a message contains this. */
  until(text: string): Promise<void>;
  ended: Promise<number | null>;
}

/** The messages of the protocol, as the client prints them. */
function acpx(command: readonly string[], options: readonly string[] = []): ClientRun {
  const { folder, environment } = stage.project;
  const all = ["--format", "json", "--cwd", folder, ...options, "--agent", agent];
  const child = spawn(process.execPath, [client, ...all, ...command], {
    env: { ...environment, NEKODE_BASE_URL: stage.model.url, NEKODE_MODEL: "scripted" },
  });
  const lines: Line[] = [];
  const waiting: { text: string; resolve(): void }[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(lineSchema.parse(JSON.parse(line)));
    for (const { text, resolve } of waiting) if (line.includes(text)) resolve();
  });
  return {
    lines,
    until: (text) => new Promise((resolve) => waiting.push({ text, resolve })),
    ended: new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", resolve);
    }),
  };
}

async function run(
  command: readonly string[],
  options: readonly string[] = [],
): Promise<{ code: number | null; lines: Line[] }> {
  const { ended, lines } = acpx(command, options);
  return { code: await ended, lines };
}

const stopReason = ({ lines }: { lines: Line[] }) =>
  lines.flatMap(({ result }) => {
    const parsed = z.object({ stopReason: z.string() }).safeParse(result);
    return parsed.success ? [parsed.data.stopReason] : [];
  });

describe("acpx", () => {
  it("prompts, shows the change, and gives the permission", async () => {
    stage.model.setScript({ turns: [{ answer: [{ text: "I edit." }, EDIT] }, DONE] });
    const edited = await run(["exec", "More cats please"], ["--approve-all"]);
    expect(edited.code).toBe(0);
    expect(stopReason(edited)).toEqual(["end_turn"]);
    const asked = edited.lines.find(({ method }) => method === "session/request_permission");
    expect(JSON.stringify(asked)).toContain(
      '"oldText":"cats\\nare fine\\n","newText":"many cats\\nare fine\\n"',
    );
    expect(await stage.project.read("neko.txt")).toBe("many cats\nare fine\n");
  });

  it("refuses the permission, and the file is byte-identical", async () => {
    stage.model.setScript({ turns: [{ answer: [EDIT] }, DONE] });
    const refused = await run(["exec", "More cats please"], ["--deny-all"]);
    expect(stopReason(refused)).toEqual(["end_turn"]);
    expect(await stage.project.read("neko.txt")).toBe(NEKO);
  });

  it("loads the session in another process, and cancels a prompt", async () => {
    stage.model.setScript({
      turns: [
        { match: { said: "first" }, answer: [{ text: "One." }] },
        { match: { said: "second" }, answer: [{ text: "It says " }, { hold: "middle" }, { text: "more." }] },
      ],
    });
    expect((await run(["sessions", "new"])).code).toBe(0);
    expect(stopReason(await run(["prompt", "first"]))).toEqual(["end_turn"]);
    const turn = acpx(["prompt", "second"]);
    const loaded = turn.until('"method":"session/load"');
    await stage.model.waitForHold("middle");
    await loaded;
    await run(["cancel"]);
    expect(await turn.ended).toBe(0);
    // Ends the client's process that takes the prompts of the session, each of which has an agent of its own.
    expect((await run(["sessions", "close"])).code).toBe(0);
    expect(stopReason(turn)).toEqual(["cancelled"]);
    expect(JSON.stringify(stage.model.requests.at(-1)?.body)).toContain("first");
  });
});
