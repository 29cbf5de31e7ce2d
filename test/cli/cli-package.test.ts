/** The terminal host as npm installs it. `cli-package.long.test.ts` runs it with other versions of Node. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { InstalledCli } from "./cli-package-place.ts";

/** Bytes of all that is installed, with ripgrep. */
const LARGEST = 25_000_000;

let installed: InstalledCli;

beforeAll(async () => {
  installed = await InstalledCli.create();
}, 120_000);
afterAll(() => installed.remove());

it("is installed as nekode, which runs, judges commands and searches with the ripgrep that came with it", async () => {
  expect(await installed.nekode(["--version"])).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(await installed.nekode(["--help"])).toContain("Exit codes: 0 completed");
  // The grammar of shells.
  expect(JSON.parse(await installed.nekode(["judge", "--json", "cat a | rm -rf b"]))).toMatchObject({
    verdict: "ask",
  });
  expect(await installed.searched()).toContain("here sleeps a neko cat");
});

it("runs no step of an installation, and has every file that its files load", async () => {
  const manifest = z
    .record(z.string(), z.unknown())
    .parse(JSON.parse(await readFile(path.join(installed.root, "package.json"), "utf8")));
  expect(manifest).toMatchObject({ name: "nekode-cli", bin: { nekode: "dist/cli.js" } });
  expect(Object.keys(manifest)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(scripts|dependencies)$/)]),
  );
  const dist = path.join(installed.root, "dist");
  const names = await readdir(dist);
  const scripts = names.filter((name) => name.endsWith(".js"));
  const loaded = await Promise.all(
    scripts.map(async (name) => {
      const text = await readFile(path.join(dist, name), "utf8");
      return [...text.matchAll(/(?:require\("\.\/|__dirname,"|programDir,")([\w-]+\.js)"/g)].map(
        ([, file]) => file,
      );
    }),
  );
  const needed = new Set(loaded.flat());
  expect(needed.size).toBeGreaterThan(5);
  expect([...needed].filter((name) => name !== undefined && !names.includes(name))).toEqual([]);
  // No source maps, no panel, no extension.
  expect(names.filter((name) => /\.map$|^(?:webview|extension|services)/.test(name))).toEqual([]);
});

it("has the manual page where man looks for it", async () => {
  const page = path.join(installed.prefix, "share/man/man1/nekode.1");
  expect(await readFile(page, "utf8")).toBe(await installed.nekode(["completion", "man"]));
});

it("is small", async () => {
  expect(await installed.size()).toBeLessThan(LARGEST);
});
