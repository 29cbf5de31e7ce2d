// The endurance tests, with configurable counts. Import only after the packages are installed.
import path from "node:path";
import { buildOne } from "./build.mjs";
import { ROOT } from "./dependencies.mjs";
import { say } from "./log.mjs";
import { run } from "./processes.mjs";

const HOUR = 3_600_000;

/** @type {[project: string, file: string][]} */
const FILES = [
  ["system", "test/unit/node/session-processes.test.ts"],
  ["system", "test/unit/node/many-sessions-killed.test.ts"],
  ["cli", "test/cli/killed.test.ts"],
  ["cli", "test/cli/acp/killed-agent.test.ts"],
  ["unit", "test/unit/core/sessions/damage.test.ts"],
  ["unit", "test/unit/core/sessions/bad-rows.test.ts"],
];

/**
 * @param {{ kills: string, appends: string, damages: string }} counts
 * @returns {Promise<number>} the exit code
 */
export async function runEndurance({ kills, appends, damages }) {
  await buildOne("launcher");
  await buildOne("cli");
  await buildOne("acp-sdk");
  let code = 0;
  for (const [project, file] of FILES) {
    say(`${file}: ${kills} kills, ${appends} messages from each of two, ${damages} flips`);
    const ended = await run(
      path.join(ROOT, "node_modules/.bin/vitest"),
      ["run", "--project", project, "--reporter=verbose", file],
      {
        cwd: ROOT,
        env: {
          ...process.env,
          ...{ NO_COLOR: "1", NEKODE_KILLS: kills, NEKODE_APPENDS: appends, NEKODE_DAMAGES: damages },
          NEKODE_BAD_ROWS: damages,
        },
        anyExit: true,
        timeoutMs: HOUR,
      },
    );
    process.stdout.write(ended.output);
    code ||= ended.code;
  }
  return code;
}
