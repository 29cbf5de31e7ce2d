/** What an engine that does not work is said to be. */
import { chmod, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { bubblewrap } from "../../../../src/node/sandbox/bubblewrap.ts";
import { Sandbox } from "../../../../src/node/sandbox/command-sandbox.ts";
import { findEngine, tryEngine } from "../../../../src/node/sandbox/probe.ts";
import { seatbelt } from "../../../../src/node/sandbox/seatbelt.ts";
import { sandboxStateText } from "../../../../src/shared/words/sandbox-words.ts";
import { translator } from "../../../../src/shared/words/task-words.ts";
import { hasSandbox, sandboxProgram } from "../../../support/sandbox.ts";
import { programFile } from "../../../support/shells.ts";
import { temporaryFolder } from "../support.ts";

const setpriv = programFile("setpriv", ["/usr/bin", "/usr/local/bin"]);

async function program(text: string, name = "bwrap"): Promise<string> {
  const file = path.join(await temporaryFolder(), name);
  await writeFile(file, `#!/bin/sh\n${text}\n`);
  await chmod(file, 0o755);
  return file;
}

const said = async (file: string, patience?: number, engine = bubblewrap) =>
  sandboxStateText(translator({}), (await tryEngine(engine, file, patience)).state);

describe.runIf(process.platform === "linux")("bubblewrap", () => {
  it.runIf(hasSandbox)("that works is named with its version", async () => {
    expect(await said(sandboxProgram)).toMatch(/^bubblewrap \d+\.\d+/);
  });

  it("that is too old, or ends with an error, is one that the system does not allow, in its own words", async () => {
    const old = await program(
      '[ "$1" = --version ] && echo bubblewrap 0.1.2 && exit; echo "bwrap: Unknown option --x" >&2; exit 1',
    );
    expect(await said(old)).toBe(
      "none: the system does not allow it (bubblewrap 0.1.2: bwrap: Unknown option --x)",
    );
  });

  it("that hangs is not waited for", async () => {
    expect(await said(await program('[ "$1" = --version ] || exec sleep 60'), 300)).toContain(
      "it did not answer in time",
    );
  });

  it.runIf(hasSandbox && setpriv !== undefined && process.getuid?.() === 0)(
    "in a container that may make no namespaces says so",
    async () => {
      const confined = await program(
        `exec ${setpriv} --bounding-set=-all --inh-caps=-all ${sandboxProgram} "$@"`,
      );
      expect(await said(confined)).toMatch(
        /^none: the system does not allow it \(bubblewrap .*(?:not permitted|failed)/,
      );
    },
  );
});

describe.skipIf(process.platform === "win32")("sandbox-exec", () => {
  it("works if a command that was given to it with a profile does, and cannot do what the profile forbids", async () => {
    const profiled = '[ "$1" = -f ] && grep -q "^(deny default)$" "$2" && shift 2';
    const works = await program(`${profiled} && exec "$1" "$2" "$3" sh /nowhere /nowhere/x`, "sandbox-exec");
    expect(await said(works, undefined, seatbelt)).toBe("sandbox-exec");
    for (const hole of ['"$5" /nowhere/x', '/nowhere "$6"']) {
      const leaks = await program(`${profiled} && exec "$1" "$2" "$3" sh ${hole}`, "sandbox-exec");
      expect(await said(leaks, undefined, seatbelt), hole).toBe(
        "none: the system does not allow it (sandbox-exec: it does not enforce its rules)",
      );
    }
  });

  it("in another sandbox says that the system does not allow it, in its own words", async () => {
    const words = "sandbox-exec: sandbox_apply: Operation not permitted";
    const nested = await program(`echo "${words}" >&2; exit 71`, "sandbox-exec");
    expect(await said(nested, undefined, seatbelt)).toBe(
      `none: the system does not allow it (sandbox-exec: ${words})`,
    );
  });

  it("that hangs is not waited for", async () => {
    const hangs = await program("sleep 60 & wait", "sandbox-exec");
    expect(await said(hangs, 300, seatbelt)).toContain("it did not answer in time");
  });

  it.skipIf(process.platform === "darwin")("is the system's own, never one of PATH", async () => {
    const folder = path.dirname(await program('shift 2; exec "$@"', "sandbox-exec"));
    const { state } = await findEngine({ PATH: folder }, [], "darwin");
    expect(sandboxStateText(translator({}), state)).toBe("none is available on this system");
  });
});

describe.runIf(hasSandbox)("a project", () => {
  it("that is the home folder, contains it, or is not there cannot be protected", async () => {
    const home = await temporaryFolder();
    const sandbox = new Sandbox({
      environment: process.env,
      home,
      own: [],
      caches: path.join(home, ".cache"),
    });
    for (const root of [home, "/", path.join(home, "nowhere")])
      expect(await sandbox.state([root])).toEqual({ engine: undefined, why: "place", detail: root });
    sandbox.dispose();
  });
});
