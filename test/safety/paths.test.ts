import { mkdir, readlink, realpath, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { judgePath } from "../../src/core/safety/paths/judge-path.ts";
import { CORPORA, loadCorpus, meets } from "./corpus.ts";
import { told } from "./judge.ts";
import { createPathProject, type PathProject } from "./path-project.ts";

let project: PathProject;
let base: string;
let root: string;

beforeAll(async () => {
  project = await createPathProject();
  ({ base, root } = project);
});

afterAll(() => project.remove());

describe.each(CORPORA)("paths of %s", (name) => {
  it("none that must ask passes, none that is harmless asks", async () => {
    const wrong: string[] = [];
    for (const item of loadCorpus(name).paths) {
      const [access, path, expected] = item;
      const judged = await project.judge(item);
      if (!meets(expected, judged.verdict))
        wrong.push(`${access} ${path}: ${judged.verdict}, not ${expected} (${told(judged.reason)})`);
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
