/** Commands in real folders, as a host without a sandbox judges them: folder-cases.json, and what changes while one looks. */
import { readFileSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { Judge } from "../../src/core/loop/calls/permission.ts";
import type { ShellKind } from "../../src/core/ports/shell.ts";
import { settingsSchema } from "../../src/shared/settings.ts";
import { project } from "../support/tools-on-disk.ts";
import { neverAborted } from "../unit/node/support.ts";
import { expectedVerdict, shellKinds } from "./corpus.ts";
import { patientClock, told } from "./judge.ts";

const texts = z.record(z.string(), z.string());
const { folders } = z
  .object({
    folders: z.record(
      z.string(),
      z.object({
        files: texts,
        links: texts.default({}),
        allow: z.array(z.string()).default([]),
        commands: z.array(z.tuple([shellKinds, z.string(), expectedVerdict]).rest(z.string())),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync(new URL("folder-cases.json", import.meta.url), "utf8")));

/** A project with these files and links, and the judge of the hosts. */
async function folder(files: Record<string, string>, links: Record<string, string>, allow: string[]) {
  const made = await project();
  const { at, host } = made;
  for (const name of [...Object.keys(files), ...Object.keys(links)])
    await mkdir(path.dirname(at(name)), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(at(name), text);
  for (const [name, target] of Object.entries(links)) await symlink(target, at(name));
  const settings = settingsSchema.parse({ approval: { read: true, commandSafe: true }, commands: { allow } });
  const clock = patientClock(host.clock);
  const judgeIn = (kind: ShellKind) =>
    new Judge({ ...host, clock, shell: { ...host.shell, kind } }, () => settings);
  const judges = new Map<ShellKind, Judge>();
  const judged = (kind: ShellKind, command: string) => {
    const judge = judges.get(kind) ?? judgeIn(kind);
    judges.set(kind, judge);
    return judge.permission({ access: "command" }, { paths: [], command }, "act");
  };
  return { ...made, settings, judged };
}

describe.each(Object.entries(folders))("%s", (_, { files, links, allow, commands }) => {
  it("asks where it must and nowhere else", async () => {
    const { judged } = await folder(files, links, allow);
    const wrong: string[] = [];
    for (const [kinds, command, expected, because = ""] of commands) {
      for (const kind of kinds) {
        const { verdict, reason } = await judged(kind, command);
        if (verdict !== expected || !told(reason).includes(because))
          wrong.push(`${kind}: ${command}: ${verdict} (${told(reason)})`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe("a pattern for the shell", () => {
  it("asks where what it matches is shown, or may be an option", async () => {
    const { judged } = await folder({ "README.md": "", "src/a.ts": "", "a.txt": "" }, {}, ["npm test"]);
    const verdict = async (command: string, shell: ShellKind = "bash") =>
      (await judged(shell, command)).verdict;
    for (const command of ["cat *.md", "cat src/*", "cat ./[!a]*", "grep x src/*.ts", "git diff -- src/*"])
      expect(await verdict(command), command).toBe("ask");
    for (const command of ["ls *", "echo *.md", "npm test *", "git log *", "sort -*", "ls [a-z]*"])
      expect(await verdict(command), command).toBe("ask");
    for (const command of ["ls src/*", "ls a*", "find . -name *.md"])
      expect(await verdict(command), command).toBe("allow");
    for (const command of ["type *.md", "findstr x *.md", "sort *.txt"])
      expect(await verdict(command, "cmd"), command).toBe("ask");
    expect(await verdict("dir *.md", "cmd")).toBe("allow");
    for (const command of ["gc *.md", "gc '*.md'", "gc a`.txt", "sls 'x' 'src/*'"])
      expect(await verdict(command, "powershell"), command).toBe("ask");
    for (const command of ["gci *.md", "gci '*.md'", "sls -Pattern 'a.*b' -Path src/a.ts"])
      expect(await verdict(command, "powershell"), command).toBe("allow");
  });
});

describe(".nekodeignore", () => {
  const FILES = { "private/a.txt": "canary\n", "open.txt": "canary\n" };

  it("of every folder of the workspace counts in that folder", async () => {
    const { root, host, settings } = await folder(
      {
        ...{ ...FILES, ".nekodeignore": "/private/\n", "../second/.nekodeignore": "/hidden/\n" },
        ...{ "../second/hidden/b.txt": "", "../second/private/b.txt": "" },
      },
      {},
      [],
    );
    const second = path.join(root, "..", "second");
    const roots = [
      { name: "project", path: root },
      { name: "second", path: second },
    ];
    const judge = new Judge({ ...host, workspace: { ...host.workspace, roots } }, () => settings);
    expect(await judge.unreadable(path.join(root, "private/a.txt"))).toContain(".nekodeignore");
    expect(await judge.unreadable(path.join(second, "hidden/b.txt"))).toContain(".nekodeignore");
    expect(await judge.unreadable(path.join(second, "private/b.txt"))).toBeUndefined();
    expect(await judge.unreadable(path.join(root, "open.txt"))).toBeUndefined();
    const verdict = async (command: string) =>
      (await judge.permission({ access: "command" }, { paths: [], command }, "act")).verdict;
    expect(await verdict(`cat ${second}/hidden/b.txt`)).toBe("ask");
    expect(await verdict(`cat ${second}/private/b.txt`)).toBe("allow");
  });

  it("is understood in UTF-16, and lets nothing through where it cannot be read", async () => {
    const { at, call, host, settings } = await folder(FILES, {}, []);
    const read = async (file: string) => {
      const invocation = { paths: [{ path: at(file), access: "read" as const }] };
      return (await new Judge(host, () => settings).permission({ access: "read" }, invocation, "act"))
        .verdict;
    };
    await writeFile(at(".nekodeignore"), Buffer.from("\ufeff/private/\r\n", "utf16le"));
    expect(await read("private/a.txt")).toBe("deny");
    expect(await read("open.txt")).toBe("allow");
    const found = await call("search_files", { path: ".", regex: "canary" });
    expect(found).toContain("open.txt");
    expect(found).not.toContain("private");
    await writeFile(at(".nekodeignore"), Uint8Array.from([0, 1, 2, 0, 255, 254, 0, 9]));
    expect(await read("open.txt")).toBe("deny");
    expect(await call("search_files", { path: ".", regex: "canary" })).toMatch(/^refused: /);
    await expect(host.search.files(at("."), { limit: 10, signal: neverAborted })).rejects.toThrow();
  });
});
