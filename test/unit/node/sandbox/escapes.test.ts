/** No attempt to get out of the sandbox changes anything outside, reads a secret, or reaches a program. */
import { execFileSync } from "node:child_process";
import { rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SandboxUse } from "../../../../src/core/ports/sandbox.ts";
import { Sandbox } from "../../../../src/node/sandbox/command-sandbox.ts";
import { createShell } from "../../../../src/node/shell/process-shell.ts";
import { contentOf } from "../../../support/folders.ts";
import { sampled } from "../../../support/random.ts";
import { hasSandbox } from "../../../support/sandbox.ts";
import { type Attempts, connecting, networking, reading, writing } from "./attempts.ts";
import { type SandboxedWorld, SECRET, sandboxedWorld } from "./world.ts";

describe.runIf(hasSandbox && process.platform === "linux")("a command in the sandbox", () => {
  let world: SandboxedWorld;
  beforeAll(async () => {
    world = await sandboxedWorld();
  });
  afterAll(() => world.dispose());

  const inAnyCase = {
    ...prefixed("reads", reading),
    ...prefixed("writes", writing),
    ...prefixed("connects", connecting),
  };
  const all: Attempts = { ...inAnyCase, ...prefixed("connects", networking) };
  const kindOf = (name: string) => name.split(" ")[0] ?? "";

  it.each(sampled(Object.keys(all), 4, kindOf))("%s", async (name) => {
    world.makeProject();
    await world.expectNothing(all[name] ?? "");
  });

  it.each(sampled(Object.keys(inAnyCase), 12, kindOf))("with network, %s", async (name) => {
    world.makeProject();
    await world.expectNothing(all[name] ?? "", { network: true });
  });

  it("with network reaches ports of this machine, and no socket that a program has elsewhere", async () => {
    const { makeProject, run, use, takeConnections } = world;
    makeProject();
    const toAll = [
      ...["to a port of this machine", "to a socket", "to a socket with a name of the kernel's"],
    ].map((name) => all[`connects ${name}`]);
    await run(toAll.join("; "), use("work", true));
    expect([...new Set(takeConnections())]).toEqual(["a port"]);
    // Outside, each of them connects: they show what they are meant to.
    await run(toAll.join("; "));
    expect(new Set(takeConnections())).toEqual(new Set(["a port", "a socket", "a socket of the kernel's"]));
  });

  it("never runs elsewhere where the sandbox cannot be set up", async () => {
    const { project, makeProject, use } = world;
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
    const { base, makeProject, use, run } = world;
    makeProject();
    const before = contentOf(base, () => true);
    // In one sandbox, except what ends all that is in it.
    const [ending, others] = [true, false].map((ends) =>
      Object.values(writing).filter((command) => /\bkill\b/.test(command) === ends),
    );
    const together = others?.map((command) => `(${command}\n)`).join("\n");
    expect(await run(`${together}\necho all of them ran`, use("read"), 120_000)).toContain("all of them ran");
    for (const command of ending ?? []) await run(command, use("read"));
    expect(contentOf(base, () => true)).toEqual(before);
  });

  it("reads and writes what it is there for", async () => {
    const { makeProject, use, run } = world;
    makeProject();
    const output = await run(
      "cat a.txt; echo $PAGER $NEKODE_API_KEY; echo new > a.txt; mkdir built; echo b > built/b; git add a.txt; git -c user.name=a -c user.email=a@b.c commit -qm c; git log --oneline | wc -l; echo t > /tmp/t; cat /tmp/t; echo $TMPDIR",
      use("work"),
    );
    expect(output).toBe("as it was\ncat\n1\nt\n/tmp\n");
    expect(await run("cat a.txt built/b /tmp/t", use("read"))).toBe("new\nb\nt\n");
  });

  it.each(["read", "work"] as const)(
    "reads the files of plugins and runs them in the profile %s",
    async (profile) => {
      const { makeProject, use, run } = world;
      makeProject();
      const output = await run(
        'sh "$DATA/plugins/installed/cat-1/run.sh"; ls -A "$DATA" "$DATA/plugins"',
        use(profile),
      );
      expect(output).toMatch(/^the plugin ran\n[^\n]*data:\nplugins\n\n[^\n]*plugins:\ninstalled\n$/);
    },
  );

  it("says what it made that takes effect by itself, and nothing that was there before", async () => {
    const { makeProject, shell, project, use } = world;
    makeProject();
    const madeBy = async (command: string, sandbox: SandboxUse) => {
      const { made = [] } = await shell.run(command, {
        ...{ cwd: project, timeoutMs: 20_000, signal: new AbortController().signal, sandbox },
        onOutput: () => undefined,
      });
      return made.map((file) => path.relative(project, file)).sort();
    };
    const makes =
      "echo x > .envrc; echo x > b.txt; ln -s /nowhere CLAUDE.md; git init -q lib; echo x > lib/AGENTS.md; mkdir packages/app/.cursor";
    expect(await madeBy(makes, use("read"))).toEqual([]);
    expect(await madeBy(makes, use("work"))).toEqual([
      ...[".envrc", "CLAUDE.md", "lib/.git", "lib/AGENTS.md", "packages/app/.cursor"],
    ]);
    expect(await madeBy("echo x > c.txt; rm CLAUDE.md", use("work"))).toEqual([]);
  });

  it("leaves nothing in a project without a repository, whose hooks it cannot make", async () => {
    const { base, shell, write } = world;
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
    const { base, project, shell, makeProject } = world;
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
    const { base, home, project, makeProject } = world;
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
