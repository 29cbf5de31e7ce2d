/** A file outside the workspace that the user gave is read without a question, and nothing beside it. */
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Judge } from "../../../../src/core/loop/calls/permission.ts";
import { settingsSchema } from "../../../../src/shared/settings.ts";
import { project } from "../../../support/tools-on-disk.ts";

it("reads exactly what was given, not its neighbors or secrets, and never writes it", async () => {
  const { host } = await project();
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), "nekode-given-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const at = (name: string) => path.join(folder, name);
  for (const name of ["given.txt", "beside.txt", ".env"]) await writeFile(at(name), "x\n");
  const given = new Set([at("given.txt"), at(".env")]);
  const judge = new Judge({ ...host, given: { has: (file) => given.has(file) } }, () =>
    settingsSchema.parse({}),
  );
  const verdict = async (name: string, access: "read" | "write") => {
    const tool = { access: access === "read" ? ("read" as const) : ("edit" as const) };
    const { verdict, reason } = await judge.permission(tool, { paths: [{ path: at(name), access }] }, "act");
    return `${verdict} ${reason.code}`;
  };
  expect(await verdict("given.txt", "read")).toBe("allow reading-approved");
  expect(await verdict("beside.txt", "read")).toMatch(/^ask outside/);
  expect(await verdict(".env", "read")).toMatch(/^ask /);
  expect(await verdict("given.txt", "write")).toMatch(/^ask /);
  expect(await judge.refusal(at("given.txt"))).toBeUndefined();
  expect(await judge.refusal(at("beside.txt"))).toBeDefined();
});
