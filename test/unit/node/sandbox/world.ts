/**
 * A machine in small for commands that try to get out of the sandbox: a home folder with secrets, a project with what is protected, a
 * folder beside it, programs that listen, and a process with a secret in its environment.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import path from "node:path";
import { expect } from "vitest";
import type { SandboxUse } from "../../../../src/core/ports/sandbox.ts";
import { Sandbox } from "../../../../src/node/sandbox/command-sandbox.ts";
import { createShell } from "../../../../src/node/shell/process-shell.ts";
import { contentOf } from "../../../support/folders.ts";
import { isAlive } from "../../../support/processes.ts";
import { initRepository } from "../git-support.ts";

export const SECRET = "canary-7f3a";

export type SandboxedWorld = Awaited<ReturnType<typeof sandboxedWorld>>;

export async function sandboxedWorld() {
  // Not in /tmp, in whose place commands see a folder of their own, so that nothing there would be tried.
  const base = realpathSync(mkdtempSync("/var/tmp/nekode-escape-"));
  const [home, outside, project] = ["home", "outside", "project"].map((name) => path.join(base, name)) as [
    string,
    string,
    string,
  ];
  const connections: string[] = [];
  const servers: Server[] = [];
  const write = (file: string, content: string) => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  };

  function makeProject(): void {
    rmSync(project, { recursive: true, force: true });
    initRepository(project);
    for (const name of [
      ".vscode/settings.json",
      "AGENTS.md",
      ".github/workflows/ci.yml",
      ".mcp.json",
      "a.txt",
      "packages/app/b.txt",
    ])
      write(path.join(project, name), "as it was\n");
    write(path.join(project, ".git/hooks/post-commit"), "#!/bin/sh\n");
    chmodSync(path.join(project, ".git/hooks/post-commit"), 0o755);
    for (const name of [".env", "packages/app/.env.local"])
      write(path.join(project, name), `KEY=${SECRET}\n`);
  }

  /** What no command may change, by path. */
  const guarded = () =>
    contentOf(
      base,
      (name) =>
        !/^caches|^project\/(?!\.git\/(?:hooks|config|commondir)|\.vscode|\.idea|\.nekode(?:\/|$)|AGENTS\.md|\.github|\.mcp\.json|\.env)/.test(
          name,
        ),
    );

  for (const name of [
    ".ssh/id_rsa",
    ".aws/credentials",
    ".netrc",
    ".git-credentials",
    ".config/gh/hosts.yml",
    ".mozilla/cookies",
    ".bash_history",
  ])
    write(path.join(home, name), `${SECRET}\n`);
  // Settings that are kept elsewhere, as some people do.
  write(path.join(base, "kept/azure/token"), `${SECRET}\n`);
  symlinkSync(path.join(base, "kept/azure"), path.join(home, ".azure"));
  for (const name of [".bashrc", ".gitconfig"]) write(path.join(home, name), "");
  write(path.join(outside, "file"), "as it was\n");
  const data = path.join(base, "data");
  const plugins = path.join(data, "plugins/installed");
  for (const name of ["sessions/a.sqlite", "plugins/plugins.json", "plugins/data/cat/token"])
    write(path.join(data, name), `${SECRET}\n`);
  write(path.join(plugins, "cat-1/run.sh"), "echo the plugin ran\n");
  write("/tmp/nekode-canary-file", `${SECRET}\n`);
  makeProject();
  const listens = async (name: string, at: { port: number; host: string } | string) => {
    const server = createServer((socket) => {
      connections.push(name);
      // Whoever connected may leave without having read anything.
      socket.on("error", () => undefined);
      socket.end(SECRET);
    });
    servers.push(server);
    await new Promise<void>((resolve) =>
      typeof at === "string" ? server.listen(at, resolve) : server.listen(at, resolve),
    );
    return server.address();
  };
  const address = await listens("a port", { port: 0, host: "127.0.0.1" });
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const socket = path.join(outside, "socket");
  await listens("a socket", socket);
  chmodSync(socket, 0o777);
  // Is covered with its folder.
  await listens("a socket among secrets", path.join(home, ".ssh/agent"));
  const abstract = `nekode-escape-${process.pid}`;
  await listens("a socket of the kernel's", `\0${abstract}`);
  const victim: ChildProcess = spawn("sleep", ["infinity"], {
    cwd: outside,
    env: { PATH: process.env.PATH, SECRET },
    stdio: "ignore",
  });
  const environment = {
    ...process.env,
    ...{
      // npm adds folders of this form to the PATH of what it runs, whether they exist or not.
      PATH: `${process.env.PATH}:/tmp/nekode-none/node_modules/.bin`,
      HOME: home,
      OUTSIDE: outside,
      PORT: String(port),
      SOCKET: socket,
      ABSTRACT: abstract,
      VICTIM: String(victim.pid),
      DATA: data,
    },
    GITHUB_TOKEN: SECRET,
    NEKODE_API_KEY: SECRET,
  };
  const roots = () => [project];
  const own = { own: [data], shown: [plugins] };
  const sandbox = new Sandbox({ environment, home, ...own, caches: path.join(base, "caches") });
  const shell = createShell({ shell: "/bin/bash", environment, roots, sandbox });
  expect(await sandbox.state([project])).toMatchObject({ engine: "bubblewrap" });

  const use = (profile: SandboxUse["profile"], network = false): SandboxUse => ({
    ...{ profile, network, roots: [project] },
  });

  /** Runs a command in the project's folder until nothing of it is left, and returns what it prints. */
  /** Without `sandbox`: outside of it. */
  async function run(command: string, sandbox?: SandboxUse, timeoutMs = 20_000): Promise<string> {
    let output = "";
    const { backgroundId } = await shell.run(command, {
      ...{ cwd: project, timeoutMs, signal: new AbortController().signal },
      ...(sandbox ? { sandbox } : {}),
      onOutput: (text) => {
        output += text;
      },
    });
    if (backgroundId !== undefined) {
      const ended = new Promise<void>((resolve) =>
        shell.follow?.(backgroundId, { output: () => undefined, ended: () => resolve() }),
      );
      await shell.end([backgroundId]);
      await ended;
    }
    return output;
  }

  /** Runs a command, which must read no secret, reach no program, and change nothing that is not the project's own. */
  async function expectNothing(
    command: string,
    { network = false, timeoutMs }: { network?: boolean; timeoutMs?: number } = {},
  ): Promise<string> {
    const before = guarded();
    const output = await run(command, use("work", network), timeoutMs);
    expect(output).not.toContain(SECRET);
    expect(connections).toEqual([]);
    expect(isAlive(victim.pid ?? 0)).toBe(true);
    expect(guarded()).toEqual(before);
    return output;
  }

  return {
    ...{ base, home, project, shell, makeProject, write, use, run, expectNothing },
    /** What programs outside were reached, since the last time. */
    takeConnections: () => connections.splice(0),
    dispose() {
      shell.dispose();
      sandbox.dispose();
      victim.kill("SIGKILL");
      for (const server of servers) server.close();
      rmSync(base, { recursive: true, force: true });
      rmSync("/tmp/nekode-canary-file", { force: true });
    },
  };
}
