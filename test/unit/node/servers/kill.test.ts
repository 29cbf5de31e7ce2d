/** No process of a server, and no guard, survives its host: not a kill at any moment, and not a normal end. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { processGuard } from "../../../../src/node/servers/process-guard.ts";
import { processesNaming } from "../../../support/processes.ts";
import { Random, rounds, seedOf } from "../../../support/random.ts";
import { temporaryFolder } from "../support.ts";
import type { Killing } from "./kill-host.ts";
import {
  buildBundle,
  connected,
  fixtureServer,
  marked,
  neverAborted,
  productFolder,
  recordedEvents,
  withMark,
} from "./support.ts";

const seed = seedOf("kill");
const PHASES: readonly Killing["phase"][] = ["call", "spawn", "close", "handshake", "list", "idle"];
/** Milliseconds from a phase's start to the kill. */
const MOST_DELAY: Record<Killing["phase"], number> = {
  spawn: 150,
  handshake: 100,
  list: 15,
  call: 100,
  idle: 50,
  close: 2_500,
};

/** Two of the phases once, and each many times in `npm run endure`. */
const KILLS = rounds(2, 100);

let host = "";

beforeAll(async () => {
  // Bundled like the terminal host, with the SDK in the file beside it.
  host = await buildBundle("cli", await productFolder(), path.join(import.meta.dirname, "kill-host.ts"));
});

const random = new Random(seed);
const kills = Array.from({ length: KILLS }, (_, index) => {
  const phase = PHASES[index % PHASES.length] ?? "idle";
  return { phase, afterMs: random.below(MOST_DELAY[phase]) };
});

describe(`a kill of the host (NEKODE_SEED=${seed})`, () => {
  it.each(kills)("leaves nothing running: in $phase, after $afterMs ms", async ({ phase, afterMs }) => {
    const folder = await temporaryFolder();
    await copyFile(path.join(await productFolder(), "guard.js"), path.join(folder, "guard.js"));
    const mark = withMark();
    const launches = [{ stubborn: true }, { stubborn: false }].map((behavior) => {
      const launch = fixtureServer("scripted.mjs", JSON.stringify({ ...behavior, hello: true }));
      return { ...launch, env: mark.env };
    });
    const killing: Killing = { phase, afterMs, folder, launches };
    const child = spawn(process.execPath, [host, JSON.stringify(killing)], {
      stdio: ["ignore", "inherit", "inherit"],
    });
    const [, signal] = await once(child, "exit");
    expect(signal).toBe("SIGKILL");
    await expect.poll(() => marked(mark)).toEqual([]);
    await expect.poll(() => processesNaming(folder)).toEqual([]);
  });
});

describe("the process guard", () => {
  it("ignores signals to the host's group, and ends with the last entry", async () => {
    const folder = await temporaryFolder();
    await copyFile(path.join(await productFolder(), "guard.js"), path.join(folder, "guard.js"));
    const guard = processGuard(folder);
    const first = await guard.add({ mark: "NEKODE_TEST=none" });
    const second = await guard.add({ mark: "NEKODE_TEST=none either" });
    await guard.ready();
    const pid = guard.pid ?? 0;
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.kill(pid, signal);
    first();
    // It answers only if it still runs.
    const third = await guard.add({ mark: "NEKODE_TEST=nor this" });
    expect(guard.pid).toBe(pid);
    second();
    third();
    expect(guard.pid).toBeUndefined();
    await expect.poll(() => processesNaming(folder)).toEqual([]);
  });

  it("is started again with everything that it knew if something ends it", async () => {
    const folder = await temporaryFolder();
    await copyFile(path.join(await productFolder(), "guard.js"), path.join(folder, "guard.js"));
    const guard = processGuard(folder);
    const done = await guard.add({ mark: "NEKODE_TEST=nothing" });
    const first = guard.pid ?? 0;
    process.kill(first, "SIGKILL");
    await expect.poll(() => guard.pid).not.toBe(first);
    const other = await guard.add({ mark: "NEKODE_TEST=none" });
    expect(guard.pid).toBeDefined();
    // Also one that was ended before it could read anything.
    process.kill(guard.pid ?? 0, "SIGKILL");
    const third = await guard.add({ mark: "NEKODE_TEST=nor this" });
    await guard.ready();
    third();
    done();
    other();
  });

  it("is not in the environment of a server, nor are keys", async () => {
    const environment = {
      ...process.env,
      NEKODE_API_KEY: "secret",
      SECRET_TOKEN: "secret",
      VSCODE_PID: "1",
      LANG: "C",
    };
    const launch = fixtureServer("scripted.mjs");
    if (launch.type === "stdio") launch.env.OWN = "given";
    const connection = await connected(launch, recordedEvents(), { environment });
    const result = await connection.callTool("environment", {}, { signal: neverAborted, timeoutMs: 20_000 });
    const [text] = result.content;
    const names = text?.type === "text" ? text.text.split(" ") : [];
    expect(names).toEqual(expect.arrayContaining(["HOME", "LANG", "NEKODE_SERVER", "OWN", "PATH"]));
    expect(names.filter((name) => /API_KEY|TOKEN|VSCODE|ELECTRON/.test(name))).toEqual([]);
  });
});
