/** Rules of the folders that a task works in: from the next request on, once, kept when the conversation is condensed. */
import { afterEach, describe, expect, it } from "vitest";
import type { ScriptPart, ScriptTurn } from "../../../model-server/server.ts";
import { type Agent, type AgentOptions, startAgent } from "../../../support/agent.ts";

let agent: Agent;
afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await agent.close();
});

const files = {
  "AGENTS.md": "Be kind.",
  "packages/AGENTS.md": "Name the package.",
  "packages/web/AGENTS.md": "Use hooks.",
  "packages/web/src/a.ts": "export const a = 1;\n",
  "packages/api/CLAUDE.md": "Use REST. @notes.md",
  "packages/api/notes.md": "Version the paths.",
  "packages/api/b.ts": "export const b = 1;\n",
  "c.ts": "export const c = 1;\n",
};
const readFile = (path: string): ScriptPart => ({ tool: "read_file", params: { path } });
const DONE: ScriptPart = { text: "Done." };
const answers = (...parts: ScriptPart[]): ScriptTurn[] =>
  parts.map((part, n) => ({ match: { request: n + 1 }, answer: [part] }));

async function start(turns: ScriptTurn[], options: Partial<AgentOptions> = {}): Promise<void> {
  agent = await startAgent({ script: { turns }, protocol: "native", files, ...options });
}

async function say(text: string): Promise<void> {
  await agent.view.send(text);
  await agent.view.active.idle;
}

const sent = (n: number) => JSON.stringify(agent.server.chat(n).messages);
const lastOf = (n: number) => JSON.stringify(agent.server.chat(n).messages.at(-1));
const count = (text: string, part: string) => text.split(part).length - 1;
const listed = async () =>
  (await agent.view.active.requests.rules()).map(({ name, state, workedOn }) => [name, workedOn ?? state]);

describe.each(["xml", "native"] as const)("under %s", (protocol) => {
  it("come with the request after the first file of their folder, the nearest last, and once", async () => {
    const turns = answers(
      readFile("c.ts"),
      readFile("packages/web/src/a.ts"),
      readFile("packages/web/src/a.ts"),
      readFile("packages/api/b.ts"),
      DONE,
      DONE,
    );
    await start(turns, { protocol });
    await say("look around");
    expect(sent(2)).not.toContain("Use hooks");
    expect(lastOf(3)).toMatch(
      /# RULES OF FOLDERS.*# Rules from packages\/AGENTS\.md\\n\(For work on files that match: packages\/\*\*\)\\n\\nName the package\..*# Rules from packages\/web\/AGENTS\.md.*Use hooks\./,
    );
    expect(lastOf(5)).toMatch(/Use REST.*\(Imported by packages\/api\/CLAUDE\.md\).*Version the paths/);
    for (const text of ["Use hooks.", "Name the package.", "Use REST."]) expect(count(sent(5), text)).toBe(1);
    // Each request begins with the one before it.
    for (const n of [2, 3, 4, 5]) expect(sent(n).startsWith(sent(n - 1).slice(0, -1))).toBe(true);
    expect(agent.rows().filter((row) => row.kind === "notice")).toMatchObject([
      { code: "rules-changed", values: ["packages/AGENTS.md, packages/web/AGENTS.md"] },
      { code: "rules-changed", values: ["packages/api/CLAUDE.md, packages/api/notes.md"] },
    ]);
    await agent.restart();
    await say("again");
    expect(count(sent(6), "Use hooks.")).toBe(1);
    expect(sent(6).startsWith(sent(5).slice(0, -1))).toBe(true);
  });
});

it("come with the message that mentions a file of their folder", async () => {
  await start(answers(DONE, DONE));
  await say("what is in @/packages/web/src/a.ts");
  expect(count(sent(1), "Use hooks.")).toBe(1);
  expect(count(JSON.stringify(agent.server.chat(1).messages[0]), "Be kind.")).toBe(1);
  await agent.restart();
  await say("again");
  expect(sent(2).startsWith(sent(1).slice(0, -1))).toBe(true);
  expect(count(sent(2), "Use hooks.")).toBe(1);
});

it("come to a task that began without any, and do not become part of its system prompt after a restart", async () => {
  const { "AGENTS.md": _, ...others } = files;
  await start(answers(readFile("packages/web/src/a.ts"), DONE, DONE), { files: others });
  await say("look");
  expect(lastOf(2)).toContain("Use hooks.");
  await agent.restart();
  await say("again");
  expect(JSON.stringify(agent.server.chat(3).messages[0])).toBe(
    JSON.stringify(agent.server.chat(1).messages[0]),
  );
  expect(count(sent(3), "Use hooks.")).toBe(1);
});

it("change with the user's next message, and go when their file goes", async () => {
  await start(answers(readFile("packages/web/src/a.ts"), DONE, DONE, DONE));
  await say("look");
  agent.files.set("/project/packages/web/AGENTS.md", "Use signals.");
  await say("again");
  expect(lastOf(3)).toMatch(/RULES CHANGED.*# Rules from packages\/web\/AGENTS\.md.*Use signals\./);
  await agent.restart();
  agent.files.delete("/project/packages/web/AGENTS.md");
  await say("and again");
  expect(lastOf(4)).toContain("No longer in force: packages/web/AGENTS.md.");
});

it("stay when the conversation is condensed, with what changed, also after a restart", async () => {
  const turns: ScriptTurn[] = [
    { match: { anyMessage: "go on" }, answer: [{ text: "On." }] },
    { match: { request: 1 }, answer: [{ text: "Hello." }] },
    { match: { request: 2 }, answer: [readFile("packages/web/src/a.ts")] },
    { match: { request: 3 }, answer: [{ text: "Read." }] },
    { match: { request: 4 }, answer: [{ text: "Changed." }] },
    { match: { lastUser: 'explicit_instructions type="condense"' }, answer: [{ text: "## Task\nCats." }] },
  ];
  await start(turns);
  await say("hello");
  await say("look");
  agent.files.set("/project/AGENTS.md", "Be brief.");
  await say("see");
  await say("/compact");
  for (const n of [6, 7]) {
    if (n === 7) await agent.restart();
    await say(`go on ${n}`);
    expect(sent(n)).toContain("These rules came or changed during the task and still apply:");
    for (const text of ["Use hooks.", "Name the package.", "Be brief."]) expect(count(sent(n), text)).toBe(1);
  }
});

it("of the first message, which stays in all requests, are not repeated when the conversation is condensed", async () => {
  const turns: ScriptTurn[] = [
    { match: { anyMessage: "go on" }, answer: [{ text: "On." }] },
    { match: { request: 1 }, answer: [{ text: "Hello." }] },
    { match: { request: 2 }, answer: [readFile("c.ts")] },
    { match: { request: 3 }, answer: [{ text: "Read." }] },
    { match: { request: 4 }, answer: [{ text: "Again." }] },
    { match: { lastUser: 'explicit_instructions type="condense"' }, answer: [{ text: "## Task\nCats." }] },
  ];
  await start(turns);
  await say("what is in @/packages/web/src/a.ts");
  await say("and now?");
  await say("and then?");
  await say("/compact");
  await say("go on");
  expect(sent(6)).toContain("was condensed. Summary:");
  expect(count(sent(6), "Use hooks.")).toBe(1);
});

it("are those of AGENTS.override.md where a folder has one", async () => {
  const override = { ...files, "packages/web/AGENTS.override.md": "Use classes." };
  await start(answers(readFile("packages/web/src/a.ts"), DONE), { files: override });
  await say("look");
  expect(lastOf(2)).toContain("Use classes.");
  expect(sent(2)).not.toContain("Use hooks.");
  expect(await listed()).toContainEqual(["packages/web/AGENTS.md", "overridden"]);
});

it("are none in a workspace that is not trusted", async () => {
  await start(answers(readFile("packages/web/src/a.ts"), DONE));
  agent.host.workspace = { ...agent.host.workspace, trusted: false };
  await say("look");
  expect(sent(2)).toContain("export const a");
  expect(sent(2)).not.toMatch(/Use hooks|Name the package/);
});

it("with the same text in two folders count once, and apply to both", async () => {
  const same = { ...files, "packages/api/CLAUDE.md": "Use hooks." };
  await start(answers(readFile("packages/web/src/a.ts"), readFile("packages/api/b.ts"), DONE), {
    files: same,
  });
  await say("look");
  expect(count(sent(3), "Use hooks.")).toBe(1);
  expect(lastOf(3)).toMatch(
    /packages\/api\/\*\*\)\\n\\n\(The same as the rules from packages\/web\/AGENTS\.md\)/,
  );
});

it("are looked for in the folders of the files alone, and the same text counts once", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, n) => [`m/${n}/AGENTS.md`, `Rule ${n}.`]),
  );
  const { "packages/api/CLAUDE.md": _, ...some } = files;
  await start(answers(readFile("m/7/x.ts"), DONE), {
    files: { ...many, ...some, "m/AGENTS.md": "Be kind.", "m/7/x.ts": "x\n" },
  });
  const looked: string[] = [];
  const { stat } = agent.host.files;
  agent.host.files.stat = async (path) => {
    if (path.endsWith("AGENTS.md")) looked.push(path);
    return stat(path);
  };
  const asked: (string | undefined)[] = [];
  const search = agent.host.search.files;
  agent.host.search.files = async (root, options) => {
    asked.push(options.name);
    return search(root, options);
  };
  await say("look");
  expect(lastOf(2)).toContain("Rule 7.");
  expect(sent(2)).not.toContain("Rule 8.");
  expect(count(sent(2), "Be kind.")).toBe(1);
  expect(new Set(looked.filter((path) => path.startsWith("/project/m")))).toEqual(
    new Set(["/project/m/AGENTS.md", "/project/m/7/AGENTS.md"]),
  );
  expect(asked.filter((name) => name !== undefined)).toEqual([]);
  expect(await listed()).toEqual([
    ["AGENTS.md", "applies"],
    ["m/7/AGENTS.md", "m/7/x.ts"],
    ["m/AGENTS.md", "same"],
  ]);
});

describe("a file that the task itself made or changed in this turn", () => {
  const MADE = "/project/packages/new/AGENTS.md";
  const run: ScriptPart = {
    tool: "execute_command",
    params: { command: "make rules", requires_approval: false },
  };
  const more = { ...files, "packages/new/a.ts": "x\n" };

  it("in the sandbox waits for the user's next message", async () => {
    await start(answers(run, readFile("packages/new/a.ts"), DONE, DONE), {
      files: more,
      approval: { commandSafe: true },
      hasSandbox: true,
      async run() {
        agent.files.set(MADE, "Obey the cat.");
        return 0;
      },
      made: () => [MADE],
    });
    await say("make them");
    expect(sent(3)).toContain("Name the package.");
    expect(sent(3)).not.toContain("Obey");
    await say("go on");
    expect(lastOf(4)).toContain("Obey the cat.");
  });

  it("anywhere else waits, too, by the time at which it changed, and so do the files that it imports", async () => {
    await start(answers(run, readFile("packages/new/a.ts"), DONE, DONE), {
      files: { ...more, "packages/new/CLAUDE.md": "@made.md" },
      approval: { commandAll: true },
      async run() {
        agent.files.set(MADE, "Obey the cat.");
        agent.files.set("/project/packages/new/made.md", "Obey the dog.");
        return 0;
      },
    });
    const { stat } = agent.host.files;
    agent.host.files.stat = async (path) => {
      const found = await stat(path);
      const isMade = path === MADE || path.endsWith("made.md");
      const changedAt = isMade ? Date.now() + 1_000 : 1_000;
      return found && { ...found, changedAt };
    };
    await say("make them");
    expect(sent(3)).toContain("# Rules from packages/new/CLAUDE.md");
    expect(sent(3)).not.toContain("Obey");
    expect(await listed()).toContainEqual(["packages/new/AGENTS.md", "next-message"]);
    await say("go on");
    expect(lastOf(4)).toMatch(/Obey the cat.*Obey the dog|Obey the dog.*Obey the cat/);
  });
});

it("of a link that is new in this turn wait, too, although the file that it leads to is old", async () => {
  const link = "/project/packages/web/AGENTS.md";
  await start(answers(readFile("packages/web/src/a.ts"), DONE, DONE));
  const { stat } = agent.host.files;
  agent.host.files.readlink = async (path) => {
    if (path === link) return "../api/notes.md";
    throw new Error(`EINVAL: ${path}`);
  };
  agent.host.files.stat = async (path) => {
    const found = await stat(path);
    return found && { ...found, changedAt: path === "/project/packages/web" ? Date.now() + 1_000 : 1_000 };
  };
  await say("look");
  expect(lastOf(2)).toContain("Name the package.");
  expect(sent(2)).not.toContain("Use hooks.");
  await say("again");
  expect(lastOf(3)).toContain("Use hooks.");
});

it("are listed before the first message, which gets the rules as they are then", async () => {
  await start(answers(DONE));
  expect(await listed()).toEqual([["AGENTS.md", "applies"]]);
  agent.files.set("/project/AGENTS.md", "Be brief.");
  await say("hello");
  expect(JSON.stringify(agent.server.chat(1).messages[0])).toContain("Be brief.");
  expect(sent(1)).not.toContain("RULES CHANGED");
  agent.files.set("/project/CLAUDE.md", "New.");
  expect(await listed()).toEqual([["AGENTS.md", "applies"]]);
});

it("that cannot be used are said, together with the others", async () => {
  await start(answers(readFile("packages/web/src/a.ts"), DONE), {
    files: { ...files, "packages/web/AGENTS.md": "x".repeat(200_000) },
  });
  await say("look");
  expect(agent.rows()).toContainEqual(
    expect.objectContaining({ code: "rules-left-out", values: ["packages/web/AGENTS.md", "too-large", ""] }),
  );
  expect(await listed()).toContainEqual(["packages/web/AGENTS.md", "too-large"]);
});
