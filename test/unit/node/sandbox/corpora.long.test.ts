/**
 * Every command of the judge's corpora runs in the sandbox, whatever the judge says of it, and does no harm: thousands of commands of
 * people, of models and of attackers. escapes.test.ts tries each way out by itself.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CORPORA, loadCorpus } from "../../../safety/corpus.ts";
import { hasSandbox } from "../../../support/sandbox.ts";
import { programFile } from "../../../support/shells.ts";
import { type SandboxedWorld, sandboxedWorld } from "./world.ts";

/** Commands that run in one sandbox, one after the other. */
const GROUP = 25;
const DONE = "all of them ran";
/** Longest time in milliseconds for a group, and in seconds for a command: some wait for input or never end. */
const GROUP_MS = 120_000;
const COMMAND_S = 2;

describe.runIf(hasSandbox && process.platform === "linux")("the commands of the corpora", () => {
  let world: SandboxedWorld;
  beforeAll(async () => {
    world = await sandboxedWorld();
  });
  afterAll(() => world.dispose());

  const shells = ["bash", "zsh", "sh", "fish"].filter((name) => programFile(name, ["/bin", "/usr/bin"]));
  it.each(shells)("do no harm in %s", { timeout: 3_600_000 }, async (shell) => {
    const commands = new Set(
      CORPORA.flatMap((name) => loadCorpus(name).commands)
        .filter(([of, command]) => of === shell && !command.includes("\0"))
        .map(([, command]) => command),
    );
    const all = [...commands];
    let ran = 0;
    for (let at = 0; at < all.length; at += GROUP) {
      const group = all.slice(at, at + GROUP);
      world.makeProject();
      const output = await world.expectNothing(`${group.map(within(shell)).join("\n")}\necho ${DONE}`, {
        timeoutMs: GROUP_MS,
      });
      if (output.trimEnd().endsWith(DONE)) ran += group.length;
      // One of them ended the shell that runs the group.
      else for (const command of group) ran += await alone(command, shell);
    }
    console.log(`${shell}: ${ran} of ${all.length} commands ran`);
    expect(ran).toBe(all.length);
  });

  async function alone(command: string, shell: string): Promise<number> {
    world.makeProject();
    await world.expectNothing(within(shell)(command), { timeoutMs: GROUP_MS });
    return 1;
  }
});

/** Runs a command of a shell for a limited time, without input. */
const within = (shell: string) => (command: string) =>
  `timeout -s KILL ${COMMAND_S} ${shell} -c '${command.replaceAll("'", "'\\''")}' </dev/null 2>&1`;
