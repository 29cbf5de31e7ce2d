import { mkdir, mkdtemp, readlink, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createIgnoreRules } from "../../src/core/safety/paths/ignore-rules.ts";
import { judgePath } from "../../src/core/safety/paths/judge-path.ts";
import { CORPORA, loadCorpus, meets } from "./corpus.ts";

let base: string;
let root: string;

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "nekode-paths-")));
  root = join(base, "project");
  for (const folder of ["src", ".git/hooks", ".vscode", "docs", "secret-notes", "sub"])
    await mkdir(join(root, folder), { recursive: true });
  await mkdir(join(base, "outside"));
  await writeFile(join(base, "outside", "x"), "outside");
  await writeFile(join(root, "src", "a.ts"), "");
  await writeFile(join(root, ".env"), "KEY=1");
  await writeFile(join(root, "secret-notes", "a.txt"), "");
  const links: [string, string][] = [
    ["link-to-outside", join(base, "outside")],
    ["link-inside", "src/a.ts"],
    ["link-to-git", ".git"],
    ["link-to-vscode", ".vscode"],
    ["link-to-env", ".env"],
    ["link-to-ignored", "secret-notes/a.txt"],
    ["dangling", join(base, "outside", "not-yet")],
    ["loop", "loop"],
    ["ping", "pong"],
    ["pong", "ping"],
    ["here", "."],
    ["up", ".."],
    ["chain", "link-to-outside"],
    ["chain-end", "chain/x"],
    ["sub/far", "../../outside"],
    ["sub/back", ".."],
    ["proc-cwd", "/proc/self/cwd"],
    ["new-hook", ".git/hooks/pre-commit"],
    ["new-inside", "src/not-yet.ts"],
    ["new-env", ".env.not-yet"],
    ["hook-folder", ".git/hooks"],
    ["to-agents", "AGENTS.md"],
    ["to-package", "package.json"],
    ["to-key", "server.key"],
    ["to-ignored-folder", "secret-notes"],
    ["src/to-vscode", "../.vscode"],
  ];
  for (const [name, target] of links) await symlink(target, join(root, name));
});

afterAll(() => rm(base, { recursive: true, force: true }));

describe.each(CORPORA)("paths of %s", (name) => {
  it("none that must ask passes, none that is harmless asks", async () => {
    const ignored = createIgnoreRules([{ folder: "", text: "secret-notes/\n" }]).ignores;
    const wrong: string[] = [];
    for (const [access, written, expected] of loadCorpus(name).paths) {
      const path = written.replaceAll("{root}", root);
      const judged = await judgePath(path, { root, access, realpath, readlink, ignored });
      if (!meets(expected, judged.verdict))
        wrong.push(`${access} ${path}: ${judged.verdict}, not ${expected} (${judged.reason})`);
    }
    expect(wrong).toEqual([]);
  });
});

describe("judgePath", () => {
  it("shows where a link really leads", async () => {
    const judged = await judgePath("link-to-outside/x", { root, access: "read", realpath });
    expect(judged).toMatchObject({ verdict: "ask", inside: false, resolved: join(base, "outside", "x") });
  });

  it("sees a link whose target does not exist yet", async () => {
    const judged = await judgePath("dangling", { root, access: "write", realpath, readlink });
    expect(judged.resolved).toBe(join(base, "outside", "not-yet"));
  });

  it("takes absolute paths inside the root, and a root that is itself a link", async () => {
    expect((await judgePath(join(root, "src", "a.ts"), { root, access: "write", realpath })).verdict).toBe(
      "allow",
    );
    const alias = join(base, "alias");
    await symlink(root, alias);
    expect((await judgePath("src/b.ts", { root: alias, access: "write", realpath })).verdict).toBe("allow");
    expect(
      (await judgePath(join(alias, ".git", "x"), { root: alias, access: "write", realpath })).guard,
    ).toBe("protected");
  });

  it("takes a folder beside the root with the same start of its name for outside", async () => {
    await mkdir(join(base, "project-two"), { recursive: true });
    expect((await judgePath("../project-two/a", { root, access: "write", realpath })).inside).toBe(false);
    expect(
      (
        await judgePath("../project-two/a", {
          root,
          roots: [join(base, "project-two")],
          access: "write",
          realpath,
        })
      ).verdict,
    ).toBe("allow");
  });

  it("asks when the host cannot resolve, and never throws", async () => {
    const broken = async () => {
      throw Object.assign(new Error("no"), { code: "EACCES" });
    };
    expect(await judgePath("a", { root, access: "read", realpath: broken })).toMatchObject({
      verdict: "ask",
      guard: "unclear",
    });
    const odd = async (): Promise<string> => Promise.reject(undefined);
    expect((await judgePath("a", { root, access: "read", realpath: odd })).verdict).toBe("ask");
  });
});
