/** .nekodeignore where it is not plain text in the one folder: several folders, other encodings, unreadable. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Judge } from "../../src/core/loop/calls/permission.ts";
import { settingsSchema } from "../../src/shared/settings.ts";
import { project } from "../support/tools-on-disk.ts";
import { neverAborted } from "../unit/node/support.ts";

const settings = settingsSchema.parse({
  approval: { read: true, commandSafe: true },
  commands: { allow: ["cat", "grep"] },
});

async function withRules(rules: string | Uint8Array) {
  const made = await project();
  await writeFile(made.at(".nekodeignore"), rules);
  await mkdir(made.at("private"));
  await writeFile(made.at("private/a.txt"), "canary\n");
  await writeFile(made.at("open.txt"), "canary\n");
  const judge = new Judge(made.host, () => settings);
  const read = async (file: string) =>
    (await judge.permission({ access: "read" }, { paths: [{ path: file, access: "read" }] }, "act")).verdict;
  return { ...made, judge, read };
}

describe(".nekodeignore", () => {
  it("of every folder of the workspace counts in that folder", async () => {
    const { root, host } = await withRules("/private/\n");
    const second = path.join(root, "..", "second");
    await mkdir(path.join(second, "hidden"), { recursive: true });
    await mkdir(path.join(second, "private"));
    for (const name of ["hidden/b.txt", "private/b.txt", ".nekodeignore"])
      await writeFile(path.join(second, name), "/hidden/\n");
    const roots = [
      { name: "project", path: root },
      { name: "second", path: second },
    ];
    const judge = new Judge({ ...host, workspace: { ...host.workspace, roots } }, () => settings);
    const refused = (file: string) => judge.unreadable(file);
    expect(await refused(path.join(root, "private/a.txt"))).toContain(".nekodeignore");
    expect(await refused(path.join(second, "hidden/b.txt"))).toContain(".nekodeignore");
    expect(await refused(path.join(second, "private/b.txt"))).toBeUndefined();
    expect(await refused(path.join(root, "open.txt"))).toBeUndefined();
    const verdict = async (command: string) =>
      (await judge.permission({ access: "command" }, { paths: [], command }, "act")).verdict;
    expect(await verdict(`cat ${second}/hidden/b.txt`)).toBe("ask");
    expect(await verdict(`cat ${second}/private/b.txt`)).toBe("allow");
    expect(await verdict(`grep -r x ${second}`)).toBe("ask");
    expect(await verdict(`grep -r x ${second}/private`)).toBe("allow");
  });

  it("is understood in UTF-16, by every tool", async () => {
    const text = "/private/\r\n";
    const { read, at, call } = await withRules(Buffer.from(`\ufeff${text}`, "utf16le"));
    expect(await read(at("private/a.txt"))).toBe("deny");
    expect(await read(at("open.txt"))).toBe("allow");
    const found = await call("search_files", { path: ".", regex: "canary" });
    expect(found).toContain("open.txt");
    expect(found).not.toContain("private");
  });

  it("that cannot be read lets nothing through", async () => {
    const { read, at, call, host } = await withRules(Uint8Array.from([0, 1, 2, 0, 255, 254, 0, 9]));
    expect(await read(at("open.txt"))).toBe("deny");
    expect(await call("search_files", { path: ".", regex: "canary" })).toMatch(/^refused: /);
    await expect(host.search.files(at("."), { limit: 10, signal: neverAborted })).rejects.toThrow();
  });
});
