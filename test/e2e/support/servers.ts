// A worker's VS Code servers. A server that no window uses is used again by the next one: that saves seconds. The last
// ones end with the worker, whose guards end them, and their folders with the run.
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { inject } from "vitest";
import { type RunningServer, startCodeServer } from "../../../scripts/lib/code-server.mjs";
import { writeAllSettings } from "../../../scripts/lib/code-server-settings.mjs";
import { managedPrefix } from "../../support/managed-machine.ts";
import { killByHome } from "./processes.ts";

export interface ServerNeeds {
  /** Every setting of the window; each goes where its scope allows it. */
  settings: Record<string, unknown>;
  /** false: VS Code asks whether the workspace is trusted. */
  trust: boolean;
  env: Record<string, string>;
  /** The administrator's policy of the computer, as text. */
  policy?: string | undefined;
  /** Nothing that an earlier window stored may be there. */
  fresh: boolean;
}

export interface LeasedServer {
  readonly server: RunningServer;
  /** A home folder of the tests' own, so that nothing of the user's leaks in or out. */
  readonly home: string;
  /** Returns the server for the next window. */
  release(): void;
}

interface Entry {
  server: RunningServer;
  folder: string;
  home: string;
  key: string;
  busy: boolean;
}

const entries: Entry[] = [];

const keyOf = ({ trust, env, policy = "" }: Pick<ServerNeeds, "trust" | "env" | "policy">): string =>
  JSON.stringify([trust, Object.entries(env).sort(), policy]);

export async function leaseServer(needs: ServerNeeds): Promise<LeasedServer> {
  const key = keyOf(needs);
  let entry = entries.find((each) => !each.busy && each.key === key);
  if (entry) {
    entry.busy = true;
    if (needs.fresh) await clear(entry);
    await writeAllSettings(entry.server.userDataDir, needs.settings);
  } else {
    entry = await start(key, needs);
    entries.push(entry);
  }
  const leased = entry;
  return {
    server: leased.server,
    home: leased.home,
    release: () => {
      leased.busy = false;
    },
  };
}

/**
 * Removes what the windows of an idle server stored. VS Code keeps the rest, which is the state of extensions and their
 * secrets, in the browser, where each window has a profile of its own. Starting a server costs far more.
 */
async function clear({ server, home }: Entry): Promise<void> {
  // A window that has just closed may be about to store its last.
  if (process.platform === "linux") killByHome("--type=extensionHost", home);
  const data = server.userDataDir;
  const stored = [
    path.join(data, "nekode"),
    ...["globalStorage", "workspaceStorage", "History"].map((name) => path.join(data, "User", name)),
    path.join(home, ".local/share/nekode"),
    // The server's own are in these two.
    ...(await readdir(home))
      .filter((name) => !/^\.(local|cache)$/.test(name))
      .map((name) => path.join(home, name)),
  ];
  await Promise.all(stored.map((each) => rm(each, { recursive: true, force: true, maxRetries: 3 })));
  await fillHome(home);
}

/** The key of the agent's model in windows that name no other: one that no log, page or file could hold by chance. */
export const API_KEY = "sk-told-to-nobody-7d1f";

/** What most windows ask for. */
const usualKey = keyOf({ trust: true, env: { NEKODE_API_KEY: API_KEY } });

/** Stops all servers but those of windows that stay open, and one, which serves the next file. */
export async function stopSpareServers(): Promise<void> {
  const usual = entries.find(({ key, busy }) => key === usualKey && !busy);
  const spare = entries.filter((entry) => !entry.busy && entry !== usual);
  entries.splice(0, entries.length, ...entries.filter((entry) => !spare.includes(entry)));
  await Promise.all(
    spare.map(async (entry) => {
      await entry.server.stop();
      await rm(entry.folder, { recursive: true, force: true, maxRetries: 3 });
    }),
  );
}

async function start(key: string, needs: ServerNeeds): Promise<Entry> {
  const folder = await mkdtemp(path.join(inject("folder"), "vscode-"));
  const home = path.join(folder, "home");
  await mkdir(home);
  await fillHome(home);
  const policyFile = path.join(folder, "policy.json");
  if (needs.policy !== undefined) await writeFile(policyFile, needs.policy, { mode: 0o644 });
  const server = await startCodeServer({
    prefix: needs.policy === undefined ? [] : managedPrefix(policyFile, folder),
    version: inject("version"),
    userDataDir: path.join(folder, "data"),
    extensionsDir: inject("extensionsDir"),
    settings: needs.settings,
    trust: needs.trust,
    env: {
      HOME: home,
      XDG_CONFIG_HOME: path.join(home, ".config"),
      XDG_DATA_HOME: path.join(home, ".local/share"),
      SHELL: "/bin/bash",
      ...needs.env,
    },
  });
  return { server, folder, home, key, busy: true };
}

async function fillHome(home: string): Promise<void> {
  await writeFile(
    path.join(home, ".gitconfig"),
    "[user]\n\tname = Test\n\temail = test@example.com\n[init]\n\tdefaultBranch = main\n",
  );
  await writeFile(path.join(home, ".bashrc"), "PS1='$ '\n");
}
