/** What a script changes is restored as far as it was kept, and Undo says what it does not cover. */
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { sampled } from "../support/random.ts";
import { Project } from "./support.ts";

let server: ModelServer;
let project: Project;
let env: Record<string, string>;

beforeEach(async () => {
  server = await startModelServer();
  project = await Project.create({
    "notes.txt": "notes\n",
    "data.db": "precious\n",
    ".gitignore": "*.db\nlocal/\ndist/\n",
  });
  for (const folder of ["local/deep", "dist"]) await mkdir(at(folder), { recursive: true });
  await writeFile(at("local/deep/settings"), "mine\n");
  await writeFile(at("dist/out.js"), "old\n");
  env = { NEKODE_BASE_URL: server.url, NEKODE_MODEL: "scripted", NEKODE_API_KEY: "test-key" };
});
afterEach(async () => {
  expect(server.refusals).toEqual([]);
  await server.close();
  await project.remove();
});

const at = (name: string) => path.join(project.folder, name);
const text = (name: string) => readFile(at(name), "utf8").catch(() => undefined);
const NOT_COVERED =
  "Not backed up: installed packages, build output that Git ignores, and files outside the project.";

function calls(command: string): void {
  server.setScript({
    turns: [
      { answer: [{ tool: "execute_command", params: { command, requires_approval: false } }] },
      { times: true, answer: [{ tool: "attempt_completion", params: { result: "All done." } }] },
    ],
  });
}

const BODY = "echo gone > data.db; rm -r local; echo new > dist/out.js; rm notes.txt";

const SCRIPTS: [command: string, script: string, body: string][] = [
  ["sh run.sh", "run.sh", BODY],
  ["./run", "run", `#!/bin/sh\n${BODY}`],
  ["make x", "Makefile", `x:\n\t${BODY}`],
  ["node change.js", "change.js", `require("child_process").execSync(${JSON.stringify(BODY)});`],
];

it.each(sampled(SCRIPTS, 4))("`%s`, in a repository and outside of one", async (command, script, body) => {
  // What git ignores does not depend on who runs the script.
  for (const repository of sampled([true, false], script === "run.sh" ? 1 : 2)) {
    await writeFile(at("dist/out.js"), "old\n");
    await project.write({ [script]: `${body}\n` });
    await chmod(at(script), 0o755);
    if (repository) project.commit();
    calls(command);
    const { stdout } = await project.converse(["--approve", "read,edit,command"], env, [
      ["> ", "run it\r"],
      ["All done.", ""],
      ["> ", "/undo\r"],
      [NOT_COVERED, ""],
      ["Undo this change?", "y\r"],
      ["Restored files:", "/exit\r"],
    ]);
    expect(await text("data.db"), stdout).toBe("precious\n");
    expect(await text("local/deep/settings")).toBe("mine\n");
    expect(await text("notes.txt")).toBe("notes\n");
    expect(await text("dist/out.js")).toBe(repository ? "new\n" : "old\n");
    await rm(at(".git"), { recursive: true, force: true });
  }
});

it("says before it runs what is not covered, and names what is too large", async () => {
  await project.write({ "run.sh": BODY });
  await writeFile(at("large.db"), new Uint8Array(6_000_000));
  project.commit();
  calls("sh run.sh");
  const { stderr, code } = await project.run(["run it"], env);
  expect(code).toBe(4);
  expect(stderr).toContain(NOT_COVERED);
  expect(stderr).toContain("Not backed up, too large or too many: large.db");
});

it("undoes the last change that there is, not a script that changed nothing", async () => {
  await project.write({ "run.sh": "true\n" });
  project.commit();
  server.setScript({
    turns: [
      { answer: [{ tool: "write_to_file", params: { path: "notes.txt", content: "changed\n" } }] },
      { answer: [{ tool: "execute_command", params: { command: "sh run.sh", requires_approval: false } }] },
      { times: true, answer: [{ tool: "attempt_completion", params: { result: "All done." } }] },
    ],
  });
  await project.converse(["--approve", "read,edit,command"], env, [
    ["> ", "run it\r"],
    ["All done.", ""],
    ["> ", "/undo\r"],
    ["Undo this change?", "y\r"],
    ["Restored files: 1", "/exit\r"],
  ]);
  expect(await text("notes.txt")).toBe("notes\n");
});
