/** The real path where Windows does not tell it. */
import { mkdir, realpath, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { resolveLinks } from "../../../src/node/files/resolve-links.ts";
import { temporaryFolder } from "./support.ts";

const failing = (platform: NodeJS.Platform, code: string) => ({
  platform,
  realpath: () => Promise.reject(Object.assign(new Error(code), { code })),
});

it("follows links name by name on a drive of Windows that does not tell the names of its files", async () => {
  const folder = await realpath(await temporaryFolder());
  await mkdir(path.join(folder, "real"));
  await writeFile(path.join(folder, "real/a.txt"), "a");
  await symlink(path.join(folder, "real"), path.join(folder, "link"));
  const file = path.join(folder, "link/a.txt");
  expect(await resolveLinks(file)).toBe(path.join(folder, "real/a.txt"));
  for (const code of ["UNKNOWN", "EISDIR"])
    expect(await resolveLinks(file, failing("win32", code))).toBe(path.join(folder, "real/a.txt"));
});

it.each([
  ["win32", "ENOENT"],
  ["win32", "EPERM"],
  ["linux", "UNKNOWN"],
] as const)("on %s, %s is passed on", async (platform, code) => {
  const folder = await temporaryFolder();
  await expect(resolveLinks(folder, failing(platform, code))).rejects.toThrow(code);
});
