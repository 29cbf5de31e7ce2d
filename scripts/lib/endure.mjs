// The endurance tests: every test of which npm test runs a sample. Import only after the packages are installed.
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { buildOne, TERMINAL_BUNDLES } from "./build.mjs";
import { ROOT } from "./dependencies.mjs";
import { say } from "./log.mjs";
import { run } from "./processes.mjs";

const HOURS = 3_600_000;

/** Tests of the built terminal host, and all others of sources; those in a real VS Code are part of `npm run test:all`. */
const BUILT = "test/cli";
const FOLDERS = ["test/unit", "test/safety", "test/browser", BUILT];

/** What a test imports whose rounds, sample, seed or protocol depends on NEKODE_ROUNDS. */
const IS_SAMPLED = /"(?:\.\.?\/)+support\/(?:random|property|protocols)\.ts"/;

/** Test files of which npm test runs a sample. */
export async function sampledTests() {
  const files = [];
  for (const folder of FOLDERS) {
    for (const name of await readdir(path.join(ROOT, folder), { recursive: true })) {
      const file = path.posix.join(folder, name.split(path.sep).join("/"));
      if (file.endsWith(".test.ts") && IS_SAMPLED.test(await readFile(path.join(ROOT, file), "utf8")))
        files.push(file);
    }
  }
  return files.sort();
}

/**
 * @param {{ times: number, files: string[] }} options how often everything is run; only these files, if any are named
 * @returns {Promise<number>} the exit code
 */
export async function runEndurance({ times, files }) {
  const chosen = files.length > 0 ? files : await sampledTests();
  if (chosen.some((file) => file.startsWith(BUILT)))
    for (const part of TERMINAL_BUNDLES) await buildOne(part);
  let code = 0;
  for (const file of chosen) {
    say(file);
    const ended = await run(
      path.join(ROOT, "node_modules/.bin/vitest"),
      ["run", "--reporter=verbose", file],
      {
        cwd: ROOT,
        env: { ...process.env, NO_COLOR: "1", NEKODE_ROUNDS: times === 1 ? "whole" : String(times) },
        anyExit: true,
        timeoutMs: 10 * HOURS,
      },
    );
    process.stdout.write(ended.output);
    code ||= ended.code;
  }
  return code;
}
