/** What the terminal host costs from its start to its end: time, processor, memory, bytes sent and waits for the disk. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { findRipgrep } from "../../../src/node/search/ripgrep.ts";
import { FOUR_STEPS_FILES, fourSteps } from "../../model-server/scripts/four-steps.ts";
import type { Script } from "../../model-server/server.ts";
import type { Compared } from "../report.ts";
import { compared } from "./compared.ts";
import { loopDelay } from "./loop-delay.ts";
import { openPlace, type Place, type Ran, run, runBare, runTask, watched } from "./program.ts";

const ROUNDS = 5;
const WATCHED_ROUNDS = 3;
const LONG_ROUNDS = 3;
const EDITS = 100;
const COMMANDS = 4;
/** A usual repository, and a large one. */
const USUAL = { folders: 100, filesInEach: 30 };
const LARGE = { folders: 100, filesInEach: 1_000 };
const BARE = "bare Node with one request";

/** From the start of a process to its request that arrived at that time. */
const since = ({ startedAt }: Ran, at: number | undefined) => (at ?? Number.NaN) - startedAt;

/** When the answer to that request of the run that comes next, from 1, had ended. */
async function answeredAt({ server }: Place, request: number): Promise<number> {
  server.forgetRequests();
  await (await server.waitForRequest(request)).closed;
  return Date.now();
}

/** Values of each round, by name. */
function series<N extends string>(...names: N[]): Record<N, number[]> {
  return Object.fromEntries(names.map((name): [N, number[]] => [name, []])) as Record<N, number[]>;
}

const bodySchema = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string() })),
  tools: z.array(z.unknown()).optional(),
});

/** Bytes of the system prompt and the functions of the first request. */
function fixedBytes({ server }: Place): number {
  const { messages, tools } = bodySchema.parse(server.requests[0]?.body);
  const fixed = [messages.filter(({ role }) => role === "system"), ...(tools ? [tools] : [])];
  return fixed.reduce((sum: number, part) => sum + Buffer.byteLength(JSON.stringify(part)), 0);
}

/** The four steps: read, edit, command, answer. */
async function fourStepRows(place: Place): Promise<Compared[]> {
  const { root, server } = place;
  const task = async (protocol: "native" | "xml", env?: Record<string, string>) => {
    server.forgetRequests();
    for (const [name, text] of Object.entries(FOUR_STEPS_FILES)) await writeFile(path.join(root, name), text);
    return runTask(place, ["--protocol", protocol, "Count the cats"], env);
  };
  // What is done once for a project is not part of a task.
  await task("xml");
  const xmlBytes = fixedBytes(place);
  const seen = series("wall", "cpu", "first", "gap");
  const plain = series("wall", "cpu", "first", "shell");
  for (let round = 0; round < ROUNDS; round++) {
    const bare = await runBare(place);
    plain.wall.push(bare.endedAt - bare.startedAt);
    plain.cpu.push(bare.cpuMs);
    plain.first.push(since(bare, server.otherRequests.at(-1)?.receivedAt));
    const shell = await run(place, ["/bin/bash", "-c", "echo checked"]);
    const command = shell.endedAt - shell.startedAt;
    plain.shell.push(command);
    const answered = answeredAt(place, 3);
    const ran = await task("native");
    seen.wall.push(ran.endedAt - ran.startedAt);
    seen.cpu.push(ran.cpuMs);
    seen.first.push(since(ran, server.requests[0]?.receivedAt));
    seen.gap.push(Math.max(0, (server.requests[3]?.receivedAt ?? Number.NaN) - (await answered) - command));
  }
  const nativeBytes = fixedBytes(place);
  const requests = server.requests.length;
  const peaks: [number[], number[]] = [[], []];
  let syncs = Number.POSITIVE_INFINITY;
  for (let round = 0; round < WATCHED_ROUNDS; round++) {
    peaks[1].push((await watched(place, (env) => runBare(place, env))).peak / 1e6);
    const used = await watched(place, (env) => task("native", env));
    peaks[0].push(used.peak / 1e6);
    // On a slow machine the store's own timer adds some.
    syncs = Math.min(syncs, used.syncs);
  }
  const times = { unit: "ms", beside: BARE } as const;
  const four = "read, edit, command, answer";
  return [
    compared({ name: four, ...times, target: "< 450 ms" }, seen.wall, plain.wall),
    compared(
      { name: `${four}: processor`, ...times, unit: "CPU ms", target: "< 450 ms" },
      seen.cpu,
      plain.cpu,
    ),
    compared({ name: `${four}: peak memory`, unit: "MB", beside: BARE, target: "< 120 MB" }, ...peaks),
    compared(
      { name: "process start to first request", ...times, target: "< 250 ms" },
      seen.first,
      plain.first,
    ),
    compared(
      { name: "gap around a command", unit: "ms", beside: "the command in bash", target: "< 30 ms" },
      seen.gap,
      plain.shell,
    ),
    compared({ name: `${four}: requests`, unit: "times", target: "4" }, [requests]),
    compared({ name: `${four}: disk synchronizations`, unit: "times", target: "<= 8: 2 a request" }, [syncs]),
    compared({ name: "system prompt and tools, native", unit: "bytes", target: "" }, [nativeBytes]),
    compared({ name: "system prompt and tools, XML", unit: "bytes", target: "" }, [xmlBytes]),
  ];
}

const lines = Array.from({ length: EDITS }, (_, at) => `line ${at + 1} old\n`).join("");

const editScript: Script = {
  turns: [
    ...Array.from({ length: EDITS }, (_, at) => ({
      match: { request: at + 1 },
      times: true as const,
      answer: [
        {
          tool: "replace_in_file",
          params: {
            path: "work.txt",
            diff: `------- SEARCH\nline ${at + 1} old\n=======\nline ${at + 1} new\n+++++++ REPLACE`,
          },
        },
      ],
    })),
    { times: true, answer: [{ tool: "attempt_completion", params: { result: "All edited." } }] },
  ],
};

async function editRows(place: Place): Promise<Compared[]> {
  const { root, server } = place;
  server.setScript(editScript);
  const task = async (env?: Record<string, string>) => {
    server.forgetRequests();
    await writeFile(path.join(root, "work.txt"), lines);
    return runTask(place, ["--protocol", "native", "--max-requests", "1000", "Edit all lines"], env);
  };
  const seen = series("wall", "cpu", "sent", "syncs");
  const plain = series("wall", "cpu");
  for (let round = 0; round < LONG_ROUNDS; round++) {
    const bare = await runBare(place);
    plain.wall.push(bare.endedAt - bare.startedAt);
    plain.cpu.push(bare.cpuMs);
    const ran = await task();
    seen.wall.push(ran.endedAt - ran.startedAt);
    seen.cpu.push(ran.cpuMs);
    seen.sent.push(server.requests.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0));
    // The store's own timer adds some, more on a slow machine.
    seen.syncs.push((await watched(place, task)).syncs / EDITS);
  }
  const edits = `${EDITS} edits`;
  return [
    compared({ name: edits, unit: "ms", beside: BARE, target: "< 2,000 ms" }, seen.wall, plain.wall),
    compared(
      { name: `${edits}: processor`, unit: "CPU ms", beside: BARE, target: "lower" },
      seen.cpu,
      plain.cpu,
    ),
    compared({ name: `${edits}: sent`, unit: "bytes", target: "< 3,500,000" }, seen.sent),
    compared({ name: `${edits}: requests`, unit: "times", target: `${EDITS + 1}` }, [server.requests.length]),
    compared({ name: `${edits}: disk synchronizations of each`, unit: "times", target: "about 2" }, [
      Math.round(Math.min(...seen.syncs)),
    ]),
  ];
}

interface Size {
  folders: number;
  filesInEach: number;
}

const nameOf = ({ folders, filesInEach }: Size) => `${(folders * filesInEach).toLocaleString("en")} files`;

/** A repository of that size, all files of it committed. */
async function fill(place: Place, { folders, filesInEach }: Size): Promise<void> {
  for (let folder = 0; folder < folders; folder++) {
    const at = path.join(place.root, `folder-${folder}`);
    await mkdir(at);
    const names = Array.from({ length: filesInEach }, (_, file) => path.join(at, `file-${file}.ts`));
    await Promise.all(names.map((name) => writeFile(name, `export const name = "${name}";\n`)));
  }
  // Packing many objects in the background would load the machine for the rounds.
  const git = (...args: string[]) =>
    run(place, ["git", "-c", "gc.auto=0", "-c", "user.name=b", "-c", "user.email=b@b", ...args]);
  await git("init", "--quiet");
  await git("add", "--all");
  await git("commit", "--quiet", "--message", "all");
}

/** A search, commands that change nothing, and an answer. */
const commandScript: Script = {
  turns: [
    {
      match: { request: 1 },
      times: true,
      answer: [{ tool: "search_files", params: { path: ".", regex: "nothing has this" } }],
    },
    ...Array.from({ length: COMMANDS }, (_, at) => ({
      match: { request: at + 2 },
      times: true as const,
      answer: [{ tool: "execute_command", params: { command: "echo checked", requires_approval: "false" } }],
    })),
    { times: true, answer: [{ tool: "attempt_completion", params: { result: "All checked." } }] },
  ],
};

async function repositoryRows(place: Place): Promise<Compared[]> {
  const { server } = place;
  server.setScript(commandScript);
  await fill(place, USUAL);
  const ripgrep = await findRipgrep(undefined, [process.cwd()]);
  const task = async () => {
    const answers = Promise.all(Array.from({ length: COMMANDS + 1 }, (_, at) => answeredAt(place, at + 1)));
    await runTask(place, ["--protocol", "native", "Check it"]);
    return (await answers).map((at, index) => (server.requests[index + 1]?.receivedAt ?? Number.NaN) - at);
  };
  await task();
  const { search, command, rg, git } = series("search", "command", "rg", "git");
  for (let round = 0; round < ROUNDS; round++) {
    const searched = await run(place, [ripgrep, "--quiet", "--files-without-match", "nothing has this"]);
    rg.push(searched.endedAt - searched.startedAt);
    const status = await run(place, ["git", "status", "--porcelain"]);
    git.push(status.endedAt - status.startedAt);
    const gaps = await task();
    search.push(gaps[0] ?? Number.NaN);
    // The first one also makes the first snapshot, and learns which sandbox there is.
    command.push(gaps.at(-1) ?? Number.NaN);
  }
  const files = nameOf(USUAL);
  return [
    compared(
      { name: `${files}: gap around the first search`, unit: "ms", beside: "rg", target: "lower" },
      search,
      rg,
    ),
    compared(
      { name: `${files}: gap around a command`, unit: "ms", beside: "git status", target: "lower" },
      command,
      git,
    ),
  ];
}

async function manyFileRows(place: Place): Promise<Compared[]> {
  const { server } = place;
  server.setScript({ turns: [{ times: true, answer: [{ text: "It is large." }] }] });
  await fill(place, LARGE);
  const ripgrep = await findRipgrep(undefined, [process.cwd()]);
  const task = () => {
    server.forgetRequests();
    return runTask(place, ["--protocol", "native", "How large is it?"]);
  };
  await task();
  const { first, exit, rg, git } = series("first", "exit", "rg", "git");
  for (let round = 0; round < LONG_ROUNDS; round++) {
    const listed = await run(place, [ripgrep, "--files"]);
    rg.push(listed.endedAt - listed.startedAt);
    const status = await run(place, ["git", "status", "--porcelain"]);
    git.push(status.endedAt - status.startedAt);
    const answered = answeredAt(place, 1);
    const ran = await task();
    first.push(since(ran, server.requests[0]?.receivedAt));
    exit.push(ran.endedAt - (await answered));
  }
  const files = nameOf(LARGE);
  return [
    compared(
      { name: `${files}: start to first request`, unit: "ms", beside: "rg --files", target: "< 300 ms" },
      first,
      rg,
    ),
    compared(
      { name: `${files}: exit after the answer`, unit: "ms", beside: "git status", target: "< 100 ms" },
      exit,
      git,
    ),
  ];
}

export async function startupRows(): Promise<Compared[]> {
  const rows: Compared[] = [];
  for (const measure of [fourStepRows, editRows, loopDelayRows, repositoryRows, manyFileRows]) {
    const place = await openPlace(fourSteps());
    try {
      rows.push(...(await measure(place)));
    } finally {
      await place.close();
    }
  }
  return rows;
}

async function loopDelayRows(place: Place): Promise<Compared[]> {
  return [await loopDelay(place)];
}
