/** `nekode answer`: a call that a paused session waits with is answered from outside, by what was shown of it. */
import { appendFile, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { NEKO_AFTER, NEKO_BEFORE, nekoScript } from "../model-server/scripts/neko.ts";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { sampled } from "../support/random.ts";
import { Project } from "./support.ts";

let server: ModelServer;
let project: Project;
let env: Record<string, string>;

beforeEach(async () => {
  server = await startModelServer({ script: nekoScript() });
  project = await Project.create({ "neko.txt": `${NEKO_BEFORE}\n` });
  env = { NEKODE_BASE_URL: server.url, NEKODE_MODEL: "scripted", NEKODE_API_KEY: "sk-secret" };
});
afterEach(async () => {
  await server.close();
  await project.remove();
});

interface Paused {
  session: string;
  shown: string;
}

const nekode = (...args: string[]) => project.run(args, env);

/** What the last line of a paused run says; nothing was changed. */
function pausedIn(stdout: string): Paused {
  const { session, approval, exit } = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
  expect(exit).toBe(4);
  return { session, shown: approval.shown };
}

async function paused(): Promise<Paused> {
  return pausedIn((await nekode("--json", "@/neko.txt 猫を犬にしてください")).stdout);
}

it("yes to exactly what was shown carries it out, and the task goes on", async () => {
  const { session, shown } = await paused();
  const { code, stderr, stdout } = await nekode("answer", session, "yes", "--shown", shown, "--json");
  expect(stderr).toContain("neko.txt");
  expect(code).toBe(0);
  expect(JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
    ...{ session, status: "done" },
    files: [{ path: "neko.txt", kind: "changed" }],
  });
  expect(await project.read("neko.txt")).toBe(`${NEKO_AFTER}\n`);
  // It was answered.
  const again = await nekode("answer", session, "yes", "--shown", shown);
  expect(again.code).toBe(1);
  expect(again.stderr).toContain(`No call is waiting for an answer in session ${session}.`);
});

it("the command that a paused run prints is the one that approves", async () => {
  const { stderr } = await nekode("@/neko.txt 猫を犬にしてください");
  const [, ...args] = /nekode (answer \S+ yes --shown \S+)/.exec(stderr)?.[1]?.split(" ") ?? [];
  expect((await nekode("answer", ...args)).code).toBe(0);
  expect(await project.read("neko.txt")).toBe(`${NEKO_AFTER}\n`);
});

it("no rejects it, and the model gets the words", async () => {
  const { session } = await paused();
  const { code } = await nekode("answer", session, "no", "Leave the cat alone");
  expect(code).toBe(0);
  expect(await project.read("neko.txt")).toBe(`${NEKO_BEFORE}\n`);
  expect(JSON.stringify(server.chat(2).messages)).toContain("Leave the cat alone");
});

it("yes without having been shown it shows it, and approves nothing", async () => {
  const { session, shown } = await paused();
  const { code, stderr } = await nekode("answer", session, "yes");
  expect(code).toBe(4);
  expect(stderr).toContain(`nekode answer ${session} yes --shown ${shown}`);
  expect(await project.read("neko.txt")).toBe(`${NEKO_BEFORE}\n`);
  expect(server.requests).toHaveLength(1);
});

it("yes to what has changed since approves nothing, and shows what waits now", async () => {
  const { session, shown } = await paused();
  await writeFile(path.join(project.folder, "neko.txt"), `A line before\n${NEKO_BEFORE}\n`);
  const { code, stderr, stdout } = await nekode("answer", session, "yes", "--shown", shown, "--json");
  expect(code).toBe(4);
  expect(stderr).toContain("This is not what you approved, so nothing was approved.");
  expect(await project.read("neko.txt")).toBe(`A line before\n${NEKO_BEFORE}\n`);
  const now = pausedIn(stdout);
  expect(now.shown).not.toBe(shown);
  expect((await nekode("answer", session, "yes", "--shown", now.shown)).code).toBe(0);
  expect(await project.read("neko.txt")).toBe(`A line before\n${NEKO_AFTER}\n`);
});

it.each(
  sampled(
    [
      ["./run.sh", "run.sh"],
      ["node main.js", "part.js"],
      ["make x", "part.js"],
      ["./interpreted", "own-int"],
      ["./link.sh", "link.sh"],
      ["node dynamic.js", "plug-in.js"],
    ],
    // test/unit/core/tools/coverage.test.ts has every kind of script.
    6,
  ),
)("yes to `%s` runs nothing once %s changed, and shows it again", async (command, changed) => {
  const script = [
    { tool: "execute_command", params: { command, requires_approval: false } },
    { text: "Done." },
  ];
  server.setScript({ scope: "server", turns: script.map((answer) => ({ times: 1, answer: [answer] })) });
  const files = {
    "run.sh": "#!/bin/sh\necho ran >> log\n",
    "other.sh": "#!/bin/sh\necho ran >> log\n",
    "main.js": 'require("./part");\n',
    "part.js": 'require("fs").appendFileSync("log", "ran\\n");\n',
    "dynamic.js": 'require("./plug-" + "in.js");\n',
    "plug-in.js": 'require("fs").appendFileSync("log", "ran\\n");\n',
    Makefile: "x:\n\t@node main.js\n",
    "own-int": "#!/bin/sh\necho ran >> log\n",
    interpreted: "#!./own-int\n",
  };
  const at = (name: string) => path.join(project.folder, name);
  for (const [name, text] of Object.entries(files)) await writeFile(at(name), text, { mode: 0o755 });
  await symlink("run.sh", at("link.sh"));
  const { session, shown } = pausedIn((await nekode("--json", "Run it")).stdout);
  if (changed === "link.sh") {
    await rm(at(changed));
    await symlink("other.sh", at(changed));
  } else await appendFile(at(changed), "\n");
  const { code, stderr, stdout } = await nekode("answer", session, "yes", "--shown", shown, "--json");
  expect(code).toBe(4);
  expect(stderr).toContain("This is not what you approved, so nothing was approved.");
  expect(stderr).toContain("Your approval covers the content of");
  await expect(project.read("log")).rejects.toThrow();
  expect((await nekode("answer", session, "yes", "--shown", pausedIn(stdout).shown)).code).toBe(0);
  expect(await project.read("log")).toBe("ran\n");
});

it.each([
  [[], "nekode answer expects"],
  [["x", "maybe"], "nekode answer expects"],
  [["x", "yes", "a", "b"], "nekode answer expects"],
  [["x", "no", "--shown", "1"], "--shown can be used only with yes"],
  [["x", "no", "--resume", "y"], "cannot be used with --resume or --continue"],
  [["x", "no", "--list"], "--list cannot be used with nekode answer"],
])("wrong use is refused: %j", async (args, says) => {
  const { code, stderr } = await nekode("answer", ...args);
  expect(code).toBe(2);
  expect(stderr).toContain(says);
});

it("a session that does not exist is named", async () => {
  const { code, stderr } = await nekode("answer", "nothing", "no");
  expect(code).toBe(1);
  expect(stderr).toContain("nothing");
});
