/** Agents: what the files of each product become, what is wrong with them, and that none of them allows anything. */
import { describe, expect, it } from "vitest";
import {
  findAgent,
  readAgents,
  readOwnAgents,
  surveyAgents,
} from "../../../../src/core/instructions/agent-catalogue.ts";
import type { Agent } from "../../../../src/core/instructions/agents.ts";
import type { Host } from "../../../../src/core/ports/host.ts";
import { hostWith, shownOf } from "./support.ts";

const SETTINGS = { rulesOff: [] as string[] };
const agent = (fields: string, body = "Do it.") => `---\n${fields}\n---\n${body}\n`;

const surveyed = async (host: Host, settings = SETTINGS) => shownOf(await surveyAgents(host, settings));

async function only(files: Record<string, string>): Promise<Agent> {
  const [first, ...others] = await readOwnAgents(hostWith(files), SETTINGS);
  if (!first || others.length > 0) throw new Error(`${others.length + (first ? 1 : 0)} agents`);
  return first;
}

const access = (name: string) => ({ of: "access", name });
const tool = (name: string) => ({ of: "tool", name });

describe("where agents are found", () => {
  it("the project before the user, in the order of the folders, then the built-in ones whose names are free", async () => {
    const host = hostWith(
      {
        ".claude/agents/deep/b.md": agent("name: b\ndescription: Claude."),
        ".github/agents/b.agent.md": agent("description: Copilot."),
        ".github/agents/plain.md": agent("description: Any Markdown counts."),
        ".github/chatmodes/old.chatmode.md": agent("description: Old."),
        ".opencode/agents/oc.md": agent("description: OpenCode."),
        ".roomodes":
          "customModes:\n  - slug: mode\n    name: Mode\n    roleDefinition: You are it.\n    groups: [read]\n",
      },
      {
        ".nekode/agents/review.md": agent("description: My own."),
        ".claude/agents/mine.md": agent("name: mine\ndescription: Mine."),
        ".copilot/agents/co.agent.md": agent("description: Of Copilot."),
        ".config/opencode/agents/own.md": agent("description: Own."),
      },
    );
    const agents = await readAgents(host, SETTINGS);
    expect(agents.map(({ name, file }) => `${name} ${file}`)).toEqual([
      "b .github/agents/b.agent.md",
      "plain .github/agents/plain.md",
      "old .github/chatmodes/old.chatmode.md",
      "oc .opencode/agents/oc.md",
      "mode .roomodes#mode",
      "review ~/.nekode/agents/review.md",
      "co ~/.copilot/agents/co.agent.md",
      "mine ~/.claude/agents/mine.md",
      "own ~/.config/opencode/agents/own.md",
      "ask ",
      "test ",
    ]);
    expect((await surveyed(host))[".claude/agents/deep/b.md"]).toEqual([
      "unusable",
      ".github/agents/b.agent.md has the same name",
    ]);
  });

  it("of an untrusted workspace, none is read", async () => {
    const host = hostWith(
      { ".claude/agents/a.md": agent("name: a\ndescription: A."), ".roomodes": "customModes: []" },
      { ".nekode/agents/mine.md": agent("description: Mine.") },
    );
    host.workspace = { ...host.workspace, trusted: false };
    expect((await readOwnAgents(host, SETTINGS)).map(({ name }) => name)).toEqual(["mine"]);
    const states = await surveyed(host);
    expect(states[".claude/agents/a.md"]).toEqual(["untrusted"]);
    expect(states[".roomodes"]).toEqual(["untrusted"]);
  });

  it("a switched-off file or mode does not count, and none has the name of a mode of Nekode", async () => {
    const mode = (slug: string) => `  - { slug: ${slug}, name: X, roleDefinition: Y, groups: [read] }\n`;
    const host = hostWith({
      ".roomodes": `customModes:\n${mode("one")}${mode("two")}`,
      ".nekode/agents/Plan.md": agent("description: Not that."),
    });
    const settings = { rulesOff: [".roomodes#two"] };
    expect((await readOwnAgents(host, settings)).map(({ name }) => name)).toEqual(["one"]);
    const states = await surveyed(host, settings);
    expect(states[".roomodes#two"]).toEqual(["off"]);
    expect(states[".nekode/agents/Plan.md"]).toEqual(["unusable", "plan has the same name"]);
  });

  it("a name is found in other case and with other signs, as hand-offs write it", () => {
    const agents = [{ name: "Test-Specialist" }, { name: "a" }];
    expect(findAgent(agents, "test specialist")).toBe(agents[0]);
    expect(findAgent(agents, "other")).toBeUndefined();
  });
});

describe("tools", () => {
  it.each([
    [
      "of Claude Code",
      ".claude/agents/a.md",
      "name: a\ndescription: A.\ntools: Read, Grep, Glob, Bash",
      [access("read"), tool("search_files"), tool("list_files"), access("command")],
    ],
    [
      "of VS Code",
      ".github/agents/a.agent.md",
      "tools: ['edit', 'search/codebase', 'runCommands', 'github/*', 'playwright/click', 'todos', 'web/fetch']",
      [
        access("edit"),
        tool("search_files"),
        access("command"),
        { of: "server", name: "github" },
        { of: "server", name: "playwright", tool: "click" },
        tool("web_fetch"),
      ],
    ],
    [
      "of ours",
      ".nekode/agents/a.md",
      "tools: [read_file, replace_in_file, execute_command, mcp]",
      [tool("read_file"), access("edit"), access("command"), access("mcp")],
    ],
    [
      "of servers, in Claude Code's form",
      ".claude/agents/a.md",
      "name: a\ndescription: A.\ntools: mcp__files__read, mcp__db",
      [
        { of: "server", name: "files", tool: "read" },
        { of: "server", name: "db" },
      ],
    ],
    ["none", ".nekode/agents/a.md", "tools: []", []],
    ["all", ".nekode/agents/a.md", "tools: ['*']", undefined],
    ["without a list", ".nekode/agents/a.md", "description: A.", undefined],
  ])("%s", async (_, file, fields, expected) => {
    expect((await only({ [file]: agent(fields) })).session.tools).toEqual(expected);
  });

  it("that do not exist are left out and named; a list without any that exists makes the agent unusable", async () => {
    const host = hostWith({
      ".github/agents/some.agent.md": agent("tools: [read, vscodeAPI, extensions]"),
      ".github/agents/none.agent.md": agent("tools: [vscodeAPI, extensions]"),
    });
    const states = await surveyed(host);
    expect(states[".github/agents/some.agent.md"]).toEqual([
      "on",
      "these tools do not exist here and are left out: vscodeAPI, extensions",
    ]);
    expect(states[".github/agents/none.agent.md"]?.slice(0, 2)).toEqual([
      "unusable",
      "none of its tools exists here: vscodeAPI, extensions",
    ]);
    expect((await readOwnAgents(host, SETTINGS)).map(({ name }) => name)).toEqual(["some"]);
  });

  it("patterns bound the commands and the files; what is denied in part is denied whole", async () => {
    const fields =
      "name: a\ndescription: A.\ntools: Read, Bash(git diff:*), Bash(npm test *), Edit(docs/**), WebFetch(domain:x.org)\ndisallowedTools: Bash(rm *), mcp__db__drop";
    const files = { ".claude/agents/a.md": agent(fields) };
    const { session } = await only(files);
    expect(session.commands).toEqual(["git diff", "npm test"]);
    expect(session.editable).toEqual([{ kind: "glob", pattern: "docs/**" }]);
    expect(session.denied).toEqual([access("command"), { of: "server", name: "db", tool: "drop" }]);
    expect((await surveyed(hostWith(files)))[".claude/agents/a.md"]).toEqual([
      "on",
      "the pattern in WebFetch(domain:x.org) has no effect; all uses of the tool count",
      "Bash(rm *) denies a part of the tool's uses; here, the agent does not have the tool at all",
    ]);
    const both = await only({
      ".claude/agents/a.md": agent("name: a\ndescription: A.\ntools: Bash, Bash(git diff:*)"),
    });
    expect(both.session.commands).toBeUndefined();
  });

  it("of OpenCode: what is switched off or denied is denied; what it allows has no effect", async () => {
    const files = {
      ".opencode/agents/a.md": agent(
        "description: A.\nmode: subagent\ntools:\n  write: false\n  bash: true\npermission:\n  webfetch: deny\n  edit: allow\n  bash:\n    '*': deny\n    git log: allow",
      ),
      ".opencode/agents/b.md": agent("description: B.\nmode: primary\ntools:\n  '*': false\n  read: true"),
    };
    const [a, b] = await readOwnAgents(hostWith(files), SETTINGS);
    expect(a?.session).toMatchObject({ denied: [access("edit"), tool("web_fetch"), access("command")] });
    expect([a?.byUser, a?.byModel, b?.byUser, b?.byModel]).toEqual([false, true, true, false]);
    expect(b?.session.tools).toEqual([access("read")]);
    expect((await surveyed(hostWith(files)))[".opencode/agents/a.md"]).toEqual([
      "on",
      "permission.edit has no effect in Nekode",
      "permission.bash has no effect in Nekode",
    ]);
  });

  it("of Roo Code's modes, as YAML and as JSON, with the files that a group may change", async () => {
    const modes = {
      customModes: [
        {
          slug: "docs",
          name: "📝 Docs",
          roleDefinition: "You write.",
          whenToUse: "For docs.",
          customInstructions: "Be brief.",
          groups: ["read", ["edit", { fileRegex: "\\.md$", description: "Markdown" }], "browser"],
        },
        { slug: "talk", name: "Talk", roleDefinition: "You talk.", groups: [] },
      ],
    };
    const [docs, talk] = await readOwnAgents(
      hostWith({ ".roomodes": JSON.stringify(modes, undefined, "\t") }),
      SETTINGS,
    );
    expect(docs).toMatchObject({
      name: "docs",
      description: "For docs.",
      session: {
        instructions: "You write.\n\nBe brief.",
        tools: [access("read"), access("edit")],
        editable: [{ kind: "regex", pattern: "\\.md$" }],
      },
    });
    expect(talk?.session.tools).toEqual([]);
    const states = await surveyed(
      hostWith({
        ".roomodes":
          "customModes:\n  - slug: x\n    roleDefinition: X\n    groups: [read, modes, [edit, 1]]\n  - slug: x\n    roleDefinition: Y\n    groups: [read]\n",
      }),
    );
    expect(states).toEqual({
      ".roomodes#x": ["unusable", ".roomodes#x has the same name"],
    });
  });
});

describe("an agent of a project gains nothing", () => {
  it("by fields that would raise what runs, or run something", async () => {
    const fields = [
      "name: evil",
      "description: Evil.",
      "permissionMode: bypassPermissions",
      "hooks: {PreToolUse: [{hooks: [{type: command, command: evil}]}]}",
      "mcpServers: {evil: {command: evil}}",
      "model: openai/gpt-5",
      "memory: user",
    ].join("\n");
    const files = { ".claude/agents/evil.md": agent(fields) };
    const { models, session } = await only(files);
    expect(models).toEqual([]);
    expect(Object.keys(session).sort()).toEqual(["denied", "file", "handoffs", "instructions", "name"]);
    expect((await surveyed(hostWith(files)))[".claude/agents/evil.md"]).toEqual([
      "on",
      "hooks has no effect in Nekode",
      "mcpServers has no effect in Nekode",
      "memory has no effect in Nekode",
      "an agent of a project or a plugin does not choose the model: openai/gpt-5",
      "permissionMode has no effect in Nekode",
    ]);
  });

  it("the user's own agent may name a model of a connection", async () => {
    const host = hostWith(
      {},
      { ".nekode/agents/a.md": agent("model: [sonnet, local/qwen]\npermissionMode: plan") },
    );
    const [mine] = await readOwnAgents(host, SETTINGS);
    expect(mine?.models).toEqual(["local/qwen"]);
    expect(mine?.session.mode).toBe("plan");
  });

  it.each(["(a+)+$", "(?=.*a)b", "(", "a{1,9}{1,9}", ".*.*.*.*.*x"])(
    "with the expression %s, it edits nothing",
    async (fileRegex) => {
      const modes = {
        customModes: [{ slug: "x", roleDefinition: "X", groups: ["read", ["edit", { fileRegex }]] }],
      };
      const host = hostWith({ ".roomodes": JSON.stringify(modes) });
      const [x] = await readOwnAgents(host, SETTINGS);
      expect(x?.session.tools).toEqual([access("read")]);
      expect((await surveyed(host))[".roomodes#x"]?.[1]).toContain("the agent cannot edit");
    },
  );

  it("by YAML that expands, files that are no modes, names that cannot be seen, and hand-offs with hidden text", async () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefghi".replace(/./g, (c, i: number) => `${c}: &${c} [${Array(9).fill(`*${"abcdefgh"[i]}`).join(",")}]\n`)}`;
    const of = async (text: string) => (await surveyed(hostWith({ ".roomodes": text })))[".roomodes"];
    expect(await of(`${bomb}customModes: []\n`)).toEqual([
      "unusable",
      "the file does not list modes under customModes",
    ]);
    expect(await of("customModes: [\n\n")).toEqual([
      "unusable",
      expect.stringContaining("not valid YAML or JSON"),
    ]);
    expect(await of("- a\n")).toEqual(["unusable", "the file does not list modes under customModes"]);
    expect(await of(`${"x".repeat(200_000)}`)).toEqual(["unusable", "the file is larger than 100 KB"]);
    const files = {
      ".claude/agents/hid\u200bden.md": agent("name: x\ndescription: X."),
      ".claude/agents/control.md": agent('name: "a\\u001b[2Jb\\u202e"\ndescription: X.'),
      ".claude/agents/README.md": agent("description: What the agents are."),
      ".claude/agents/hands.md": agent(
        'name: hands\ndescription: X.\nhandoffs:\n  - {label: "Go\\u200b on", agent: act, prompt: "Fix\\u202e it", send: true, model: a/b}\n  - {label: 1}',
      ),
    };
    const states = await surveyed(hostWith(files));
    expect(states[".claude/agents/hid\u200bden.md"]?.[0]).toBe("unusable");
    expect(states[".claude/agents/README.md"]?.slice(0, 2)).toEqual([
      "unusable",
      "there is no name in the front matter, so Claude Code takes the file for documentation",
    ]);
    expect(states[".claude/agents/hands.md"]).toEqual([
      "on",
      "handoffs has a value of an unexpected form and is ignored",
      "handoffs.model has no effect in Nekode",
    ]);
    const agents = await readOwnAgents(hostWith(files), SETTINGS);
    expect(agents.map(({ name }) => name)).toEqual(["a-2Jb", "hands"]);
    expect(agents[1]?.session.handoffs).toEqual([
      { label: "Go on", agent: "act", prompt: "Fix it", send: true },
    ]);
  });
});
