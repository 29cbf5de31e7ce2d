/**
 * Starts a browser that ends with this process. It is controlled through a pipe and ends when the pipe closes, which happens
 * regardless of how this process ends. No port is opened.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable, Writable } from "node:stream";
import { messageOf } from "../../core/errors.ts";
import type { Log } from "../../core/ports/system.ts";
import { within } from "../clock.ts";
import { withSafePath } from "../find-programs.ts";
import { isRunning, startOf } from "../process-status.ts";
import { killTree } from "../shell/process-tree.ts";

/** Milliseconds that a browser has to end by itself after it was asked. */
const GRACE_MS = 600;
/** Milliseconds until the processes of a killed browser are gone. */
const KILL_MS = 1_000;
/** Characters of what the browser prints that an error message quotes. */
const QUOTED = 600;

export interface BrowserProcess {
  /** The debugging protocol, in messages that end with a zero byte. */
  write: Writable;
  read: Readable;
  /** Resolves when the program ended, with the end of what it printed. Never rejects. */
  ended: Promise<string>;
  /** Resolves when the program ended and its profile is removed. `ask`: asks it to end by itself first. */
  stop(ask: () => Promise<unknown>): Promise<void>;
}

interface BrowserProgram {
  program: string;
  viewport: { width: number; height: number };
  /** Arguments that restrict which addresses it contacts. */
  restrictions: readonly string[];
  environment: NodeJS.ProcessEnv;
  roots: readonly string[];
  log: Log;
}

/** Rejects if the program cannot be started; no folder is left then. */
export async function startBrowser(options: BrowserProgram): Promise<BrowserProcess> {
  const { program, log } = options;
  await removeStaleProfiles().catch((error: unknown) =>
    log.error("folders of earlier browsers were not removed", error),
  );
  const profile = await createProfile();
  const child = spawn(program, [...argumentsFor(options), `--user-data-dir=${profile}`, "about:blank"], {
    env: environmentOf(options),
    stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
    // Starts a separate process group, so that all of its processes can be killed.
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  const { started, ended } = watch(child);
  const [, , , write, read] = child.stdio;
  try {
    await started;
    if (!(write instanceof Writable) || !(read instanceof Readable))
      throw new Error("the browser has no pipe");
  } catch (error) {
    await removeProfile(profile);
    throw new Error(`${program} could not be started: ${messageOf(error)}`);
  }
  // A browser that ended closes the pipe; `ended` reports that.
  write.on("error", () => {});
  read.on("error", () => {});
  let stopping: Promise<void> | undefined;
  const stop = async (ask: () => Promise<unknown>) => {
    const asked = ask().catch(() => {
      // It no longer answers, or ended already.
    });
    if ((await within(Promise.race([ended, asked.then(() => ended)]), GRACE_MS)) === "late") {
      if (child.pid !== undefined) killTree({ leader: child.pid });
      await within(ended, KILL_MS);
    }
    await removeProfile(profile).catch((error: unknown) =>
      log.error("the browser's profile was not removed", error),
    );
  };
  return {
    write,
    read,
    ended,
    stop(ask) {
      stopping ??= stop(ask);
      return stopping;
    },
  };
}

function watch(child: ChildProcess): { started: Promise<void>; ended: Promise<string> } {
  let printed = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    printed = (printed + chunk.toString("utf8")).slice(-QUOTED);
  });
  const started = new Promise<void>((resolve, reject) => {
    child.once("spawn", () => resolve());
    child.once("error", reject);
  });
  const ended = new Promise<string>((resolve) => {
    child.once("exit", () => resolve(printed.trim()));
    child.once("error", () => resolve(printed.trim()));
  });
  return { started, ended };
}

function argumentsFor({ viewport, restrictions }: BrowserProgram): string[] {
  const isRoot = process.platform === "linux" && process.getuid?.() === 0;
  return [
    "--headless=new",
    "--remote-debugging-pipe",
    // Chromium refuses to run with its sandbox as root.
    ...(isRoot ? ["--no-sandbox"] : []),
    ...(process.platform === "linux" ? ["--disable-dev-shm-usage"] : []),
    `--window-size=${viewport.width},${viewport.height}`,
    "--force-device-scale-factor=1",
    "--hide-scrollbars",
    "--disable-smooth-scrolling",
    "--mute-audio",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-sync",
    "--metrics-recording-only",
    "--no-pings",
    "--password-store=basic",
    "--use-mock-keychain",
    "--disable-features=Translate,MediaRouter,OptimizationHints,AutofillServerCommunication,CertificateTransparencyComponentUpdater",
    ...restrictions,
  ];
}

/** The environment without the API key, which pages do not need. */
function environmentOf({ environment, roots }: BrowserProgram): NodeJS.ProcessEnv {
  const { NEKODE_API_KEY: _, ...rest } = withSafePath(environment, roots);
  return rest;
}

const PREFIX = "nekode-browser-";
const NAME = new RegExp(`^${PREFIX}(\\d+)-(\\d*)-`);

/** A new, empty folder that only this user can read. */
async function createProfile(): Promise<string> {
  return mkdtemp(path.join(tmpdir(), `${PREFIX}${process.pid}-${await startOf(process.pid)}-`));
}

/** A browser that just ended may still hold files for a moment. */
async function removeProfile(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

/** Removes the folders of processes that no longer run. */
async function removeStaleProfiles(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [, pid, started] = NAME.exec(name) ?? [];
    if (pid === undefined || (await isRunning(Number(pid), started))) continue;
    await removeProfile(path.join(tmpdir(), name));
  }
}
