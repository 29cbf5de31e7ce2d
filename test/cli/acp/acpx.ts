/** A client of somebody else's, over an SDK of its own: acpx, which runs agents from a command line. */
import { spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import * as z from "zod";
import type { Stage } from "./stage.ts";

/** A file, an edit of it, and the end of the task: what the client is used for. */
export const NEKO = "cats\nare fine\n";
export const EDIT = {
  tool: "replace_in_file",
  params: { path: "neko.txt", diff: "------- SEARCH\ncats\n=======\nmany cats\n+++++++ REPLACE" },
};
export const DONE = { answer: [{ tool: "attempt_completion", params: { result: "All done." } }] };

const repository = path.join(import.meta.dirname, "../../..");
const client = path.join(repository, "node_modules/acpx/dist/cli.js");
const agent = `${process.execPath} ${path.join(repository, "dist/cli.js")} acp`;

const lineSchema = z.looseObject({ method: z.string().optional(), result: z.unknown().optional() });
type Line = z.infer<typeof lineSchema>;

export interface ClientRun {
  lines: Line[];
  /** Resolves when a message contains this. */
  until(text: string): Promise<void>;
  ended: Promise<number | null>;
}

/** The messages of the protocol, as the client prints them. */
export function acpx(stage: Stage, command: readonly string[], options: readonly string[] = []): ClientRun {
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

export async function run(
  stage: Stage,
  command: readonly string[],
  options: readonly string[] = [],
): Promise<{ code: number | null; lines: Line[] }> {
  const { ended, lines } = acpx(stage, command, options);
  return { code: await ended, lines };
}

export const stopReason = ({ lines }: { lines: Line[] }) =>
  lines.flatMap(({ result }) => {
    const parsed = z.object({ stopReason: z.string() }).safeParse(result);
    return parsed.success ? [parsed.data.stopReason] : [];
  });
