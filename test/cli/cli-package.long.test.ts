/** The installed terminal host with each version of Node that it supports, and where npm reaches no registry. */
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ensureNode } from "../../scripts/lib/node-runtime.mjs";
import { InstalledCli } from "./cli-package-place.ts";

let installed: InstalledCli;

beforeAll(async () => {
  installed = await InstalledCli.create();
}, 120_000);
afterAll(() => installed.remove());

it.each([20, 22, 24])(
  "runs with Node %i",
  async (major) => {
    const { executable } = await ensureNode(major);
    const node = path.dirname(executable);
    expect(await installed.nekode(["--version"], { node })).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(JSON.parse(await installed.nekode(["judge", "--json", "rm -rf b"], { node }))).toMatchObject({
      verdict: "ask",
    });
    expect(await installed.searched(node)).toContain("here sleeps a neko cat");
  },
  600_000,
);

it("is installed without a registry, and says what searching needs", async () => {
  const offline = await InstalledCli.create({ offline: true });
  try {
    expect(await offline.nekode(["--version"])).toMatch(/^\d/);
    expect(await offline.searched()).toContain("Searching requires ripgrep");
  } finally {
    await offline.remove();
  }
}, 300_000);
