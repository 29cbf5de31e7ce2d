/** A repository of up to a million files: the start of a task, a mention, a search, and the first snapshot. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { GitSnapshots } from "../../../src/node/git/git-snapshots.ts";
import { findRipgrep } from "../../../src/node/search/ripgrep.ts";
import { createSearch } from "../../../src/node/search/ripgrep-search.ts";
import type { Curve } from "../report.ts";
import { openPlace, type Place, runTask } from "../startup/program.ts";
import { type Costs, curvesOf, timed, type Wanted } from "./curve.ts";

const SIZES = [1_000, 10_000, 100_000, 1_000_000];
const ROUNDS = 3;
const size = "files";
const WANTED: Wanted[] = [
  { name: "start to first request", size, unit: "ms", target: "< 2,000 ms" },
  { name: "rg --files", size, unit: "ms" },
  { name: "the file list behind a mention", size, unit: "ms", target: "< 2,000 ms" },
  { name: "a search with few hits", size, unit: "ms", target: "< 2,000 ms" },
  { name: "longest pause of these", size, unit: "ms", target: "< 100 ms" },
  { name: "first snapshot", size, unit: "ms", target: "< 2,000 ms" },
  { name: "git status", size, unit: "ms" },
];

const log = { info: () => {}, error: (text: string, cause?: unknown) => console.error(text, cause) };
const { signal } = new AbortController();
/** As many as a list of files for mentions has at most. */
const MENTIONED = 100_000;

/** A commit of so many files, in folders of 100. */
async function fill(root: string, count: number): Promise<void> {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root });
  git("init", "--quiet", "--initial-branch", "main");
  const child = spawn("git", ["fast-import", "--quiet"], { cwd: root, stdio: ["pipe", "ignore", "inherit"] });
  child.stdin.write("commit refs/heads/main\ncommitter p <p@example.org> 0 +0000\ndata 0\n");
  for (let at = 0; at < count; at++) {
    const name = `d${Math.floor(at / 10_000)}/s${Math.floor(at / 100) % 100}/f${at}.txt`;
    const text = at % 1_000 === 7 ? `file ${at} with the needle\n` : `file ${at}\n`;
    const isFull = !child.stdin.write(`M 100644 inline ${name}\ndata ${text.length}\n${text}\n`);
    if (isFull) await once(child.stdin, "drain");
  }
  child.stdin.end();
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`);
  git("reset", "--quiet", "--hard");
}

async function ofRepository(place: Place): Promise<Costs> {
  const { root, server, dataDir } = place;
  const costs: Costs = Object.fromEntries(WANTED.map(({ name }) => [name, []]));
  const add = (name: string, value: number) => costs[name]?.push(value);
  const ripgrep = await findRipgrep(undefined, [process.cwd()]);
  const search = createSearch({ roots: [root], near: [process.cwd()] });
  const pauses: number[] = [];
  const watched = async (name: string, work: () => Promise<unknown>) => {
    const { ms, pauseMs } = await timed(work);
    add(name, ms);
    pauses.push(pauseMs);
  };
  const plain = async (name: string, file: string, args: string[]) => {
    const from = performance.now();
    execFileSync(file, args, { cwd: root, maxBuffer: 1e9, stdio: ["ignore", "ignore", "inherit"] });
    add(name, performance.now() - from);
  };
  const task = async () => {
    server.forgetRequests();
    const ran = await runTask(place, ["--protocol", "native", "How large is it?"]);
    return (server.requests[0]?.receivedAt ?? Number.NaN) - ran.startedAt;
  };
  // What is done once for a project, and what the system keeps in memory of the disk, is not part of a start.
  await task();
  for (let round = 0; round < ROUNDS; round++) {
    add("start to first request", await task());
    await plain("rg --files", ripgrep, ["--files"]);
    await plain("git status", "git", ["status", "--porcelain"]);
    await watched("the file list behind a mention", () => search.files(root, { limit: MENTIONED, signal }));
    await watched("a search with few hits", () =>
      search.grep(root, { regex: "with the needle", contextLines: 1, limit: 300, signal }),
    );
    const snapshots = new GitSnapshots({
      ...{ root, privateDir: path.join(dataDir, `private-${round}`), environment: process.env, log },
    });
    await watched("first snapshot", async () => {
      const taken = await snapshots.take();
      if ("unavailable" in taken) throw new Error(taken.unavailable);
    });
    add("longest pause of these", Math.max(...pauses.splice(0)));
  }
  return costs;
}

export function fileCurves(): Promise<Curve[]> {
  return curvesOf(WANTED, SIZES, async (count) => {
    const place = await openPlace({ turns: [{ times: true, answer: [{ text: "It is large." }] }] });
    try {
      await fill(place.root, count);
      return await ofRepository(place);
    } finally {
      await place.close();
    }
  });
}
