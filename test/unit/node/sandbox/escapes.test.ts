/** No attempt to get out of the sandbox changes anything outside, reads a secret, or reaches a program. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SandboxUse } from "../../../../src/core/ports/sandbox.ts";
import type { Shell } from "../../../../src/core/ports/shell.ts";
import { Sandbox } from "../../../../src/node/sandbox/command-sandbox.ts";
import { createShell } from "../../../../src/node/shell/process-shell.ts";
import { contentOf } from "../../../support/folders.ts";
import { isAlive } from "../../../support/processes.ts";
import { sampled } from "../../../support/random.ts";
import { hasSandbox } from "../../../support/sandbox.ts";
import { type Attempts, connecting, reading, writing } from "./attempts.ts";

const SECRET = "canary-7f3a";

describe.runIf(hasSandbox && process.platform === "linux")("a command in the sandbox", () => {
  // Not in /tmp, in whose place commands see a folder of their own, so that nothing there would be tried.
  const base = realpathSync(mkdtempSync("/var/tmp/nekode-escape-"));
  const [home, outside, project] = ["home", "outside", "project"].map((name) => path.join(base, name)) as [
    string,
    string,
    string,
  ];
  const connections: string[] = [];
  const servers: Server[] = [];
  let victim: ChildProcess;
  let sandbox: Sandbox;
  let shell: Shell;

  const write = (file: string, content: string) => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  };

  function makeProject(): void {
    rmSync(project, { recursive: true, force: true });
    mkdirSync(project);
    execFileSync("git", ["init", "-q", project]);
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
        !/^caches|^project\/(?!\.git\/(?:hooks|config|commondir)|\.vscode|\.idea|\.nekode|AGENTS\.md|\.github|\.mcp\.json|\.env)/.test(
          name,
        ),
    );

  beforeAll(async () => {
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
    write("/tmp/nekode-canary-file", `${SECRET}\n`);
    makeProject();
    const listens = async (name: string, at: { port: number; host: string } | string) => {
      const server = createServer((socket) => {
        connections.push(name);
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
    victim = spawn("sleep", ["600"], {
      cwd: outside,
      env: { PATH: process.env.PATH, SECRET },
      stdio: "ignore",
    });
    const environment = {
      ...process.env,
      ...{
        HOME: home,
        OUTSIDE: outside,
        PORT: String(port),
        SOCKET: socket,
        ABSTRACT: abstract,
        VICTIM: String(victim.pid),
      },
      GITHUB_TOKEN: SECRET,
      NEKODE_API_KEY: SECRET,
    };
    const roots = () => [project];
    sandbox = new Sandbox({ environment, home, own: [], caches: path.join(base, "caches") });
    shell = createShell({ shell: "/bin/bash", environment, roots, sandbox });
    expect(await sandbox.state([project])).toMatchObject({ engine: "bubblewrap" });
  });
  afterAll(() => {
    shell.dispose();
    sandbox.dispose();
    victim.kill("SIGKILL");
    for (const server of servers) server.close();
    rmSync(base, { recursive: true, force: true });
    rmSync("/tmp/nekode-canary-file", { force: true });
  });

  const use = (profile: SandboxUse["profile"]): SandboxUse => ({ profile, roots: [project] });

  async function run(command: string, sandbox: SandboxUse): Promise<string> {
    let output = "";
    await shell.run(command, {
      ...{ cwd: project, timeoutMs: 20_000, signal: new AbortController().signal, sandbox },
      onOutput: (text) => {
        output += text;
      },
    });
    return output;
  }

  async function expectNothing(command: string): Promise<void> {
    const before = guarded();
    const output = await run(command, use("work"));
    expect(output).not.toContain(SECRET);
    expect(connections).toEqual([]);
    expect(isAlive(victim.pid ?? 0)).toBe(true);
    expect(guarded()).toEqual(before);
  }

  const all = {
    ...prefixed("reads", reading),
    ...prefixed("writes", writing),
    ...prefixed("connects", connecting),
  };

  it.each(sampled(Object.keys(all), 4, (name) => name.split(" ")[0] ?? ""))("%s", async (name) => {
    makeProject();
    await expectNothing(all[name] ?? "");
  });

  it("never runs elsewhere where the sandbox cannot be set up", async () => {
    makeProject();
    const other = createShell({ shell: "/bin/bash", roots: () => [project] });
    const running = other.run("echo x > made", {
      ...{ cwd: project, timeoutMs: 20_000, signal: new AbortController().signal, sandbox: use("work") },
      onOutput: () => undefined,
    });
    await expect(running).rejects.toThrow("The command did not run, because the sandbox could not be set up");
    other.dispose();
    expect(contentOf(project, (name) => name === "made")).toEqual({});
  });

  it("writes nothing at all in the profile that only reads", async () => {
    makeProject();
    const before = contentOf(base, () => true);
    for (const command of Object.values(writing)) await run(command, use("read"));
    expect(contentOf(base, () => true)).toEqual(before);
  });

  it("reads and writes what it is there for", async () => {
    makeProject();
    const output = await run(
      "cat a.txt; echo $PAGER $NEKODE_API_KEY; echo new > a.txt; mkdir built; echo b > built/b; git add a.txt; git -c user.name=a -c user.email=a@b.c commit -qm c; git log --oneline | wc -l; echo t > /tmp/t; cat /tmp/t; echo $TMPDIR",
      use("work"),
    );
    expect(output).toBe("as it was\ncat\n1\nt\n/tmp\n");
    expect(await run("cat a.txt built/b /tmp/t", use("read"))).toBe("new\nb\nt\n");
  });

  it("leaves nothing in a project without a repository, whose hooks it cannot make", async () => {
    const folder = path.join(base, "plain");
    write(path.join(folder, "a.txt"), "a\n");
    let output = "";
    await shell.run("echo b > b.txt; git init -q .; mkdir -p .git/hooks; ls -A", {
      ...{ cwd: folder, timeoutMs: 20_000, signal: new AbortController().signal },
      sandbox: { profile: "work", roots: [folder] },
      onOutput: (text) => {
        output += text;
      },
    });
    expect(output).toContain("Read-only file system");
    await expect.poll(() => Object.keys(contentOf(folder, () => true))).toEqual(["a.txt", "b.txt"]);
    rmSync(folder, { recursive: true });
  });

  it("commits in a worktree, whose repository is elsewhere", async () => {
    makeProject();
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], {
        cwd: project,
        encoding: "utf8",
      });
    git("commit", "-q", "--allow-empty", "-m", "one");
    const worktree = path.join(base, "worktree");
    git("worktree", "add", "-q", worktree);
    let output = "";
    await shell.run(
      "echo x > made; git add made; git -c user.name=a -c user.email=a@b.c commit -qm two; git log --oneline | wc -l; echo x > .git; git config a.b c; echo x > ../project/.git/hooks/x",
      {
        ...{ cwd: worktree, timeoutMs: 20_000, signal: new AbortController().signal },
        sandbox: { profile: "work", roots: [worktree] },
        onOutput: (text) => {
          output += text;
        },
      },
    );
    expect(output).toMatch(/^2\n/);
    expect(git("log", "--oneline", "--all").trim().split("\n")).toHaveLength(2);
    expect(git("config", "--list")).not.toContain("a.b");
    expect(contentOf(project, (name) => name.startsWith(".git/hooks/"))).toEqual({
      ".git/hooks/post-commit": expect.any(String),
      ...Object.fromEntries(Object.entries(contentOf(project, (name) => /hooks\/.*sample$/.test(name)))),
    });
    rmSync(worktree, { recursive: true });
  });

  it("can be in a folder that a link names, and in two that are in each other", async () => {
    makeProject();
    const link = path.join(base, "link");
    symlinkSync(project, link);
    const environment = { ...process.env, HOME: home };
    const roots = () => [link, path.join(project, "packages")];
    const linked = new Sandbox({ environment, home, own: [], caches: path.join(base, "caches") });
    const other = createShell({ shell: "/bin/bash", environment, roots, sandbox: linked });
    let output = "";
    await other.run(
      "echo x > made; cat made .env; echo y >> AGENTS.md; echo z > packages/c; cat packages/app/.env.local",
      {
        ...{
          cwd: link,
          timeoutMs: 20_000,
          signal: new AbortController().signal,
          sandbox: { profile: "work", roots: roots() },
        },
        onOutput: (text) => {
          output += text;
        },
      },
    );
    other.dispose();
    linked.dispose();
    expect(output).not.toContain(SECRET);
    expect(output).toContain("x\n");
    expect(contentOf(project, (name) => /^(?:made|AGENTS\.md|packages\/c)$/.test(name))).toEqual({
      ...{ made: "100644 x\n", "AGENTS.md": "100644 as it was\n", "packages/c": "100644 z\n" },
    });
    rmSync(link);
  });
});

function prefixed(verb: string, attempts: Attempts): Attempts {
  return Object.fromEntries(Object.entries(attempts).map(([name, command]) => [`${verb} ${name}`, command]));
}
