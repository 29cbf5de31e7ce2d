/** Keys that a program gets through a descriptor, which no environment contains. */
import { fstatSync, openSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readPipedKeys } from "../../../src/cli/program.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "nekode-keys-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function descriptorOf(content: string): Promise<number> {
  const file = path.join(folder, "keys");
  await writeFile(file, content);
  return openSync(file, "r");
}

it("keys are beside the environment, and their descriptor is closed", async () => {
  const descriptor = await descriptorOf('{"OPENAI_API_KEY": "k1", "TEAM": "k2"}');
  expect(readPipedKeys({ HOME: "/h", TEAM: "old", NEKODE_KEYS_FD: String(descriptor) })).toEqual({
    environment: { HOME: "/h", TEAM: "old" },
    withKeys: { HOME: "/h", TEAM: "k2", OPENAI_API_KEY: "k1" },
  });
  expect(() => fstatSync(descriptor)).toThrow("EBADF");
});

it.each(["no JSON", '["k1"]', '{"A": 1}', '{"a=b": "k"}', ""])("%j is no key", async (content) => {
  const descriptor = await descriptorOf(content);
  const nothing = { environment: { HOME: "/h" }, withKeys: { HOME: "/h" } };
  expect(readPipedKeys({ HOME: "/h", NEKODE_KEYS_FD: String(descriptor) })).toEqual(nothing);
});

it.each(["0", "2", "9999", "-1", "3.5", "x", "", undefined])("a descriptor %j is no key", (named) => {
  expect(readPipedKeys({ HOME: "/h", NEKODE_KEYS_FD: named })).toEqual({
    environment: { HOME: "/h" },
    withKeys: { HOME: "/h" },
  });
});
