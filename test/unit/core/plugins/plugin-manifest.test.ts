/** Manifests of both formats, and what they say is where. */
import { describe, expect, it } from "vitest";
import { contentOfPlugin, pluginDifference } from "../../../../src/core/plugins/plugin-components.ts";
import { readPluginManifest } from "../../../../src/core/plugins/plugin-manifest.ts";
import { recordsOf } from "../../../../src/core/plugins/plugin-tree.ts";
import {
  agentManifest,
  claudeManifest,
  hooksText,
  MCP_SCHEMA,
  pluginTree,
  refusalOf,
  SCHEMA,
  skillText,
} from "./support.ts";

const read = (files: Record<string, string>) => readPluginManifest(pluginTree(files), { name: "folder" });
const problems = (files: Record<string, string>) =>
  read(files).problems.map(({ code, values }) => [code, ...values].join(" "));

describe("Agent Plugins 1.0", () => {
  it("finds components at their fixed places only, and reports what is not part of the format", () => {
    const files = {
      "plugin.json": agentManifest({ version: "1.2", hooks: "./h.json", extensions: "x", description: "D" }),
      "skills/one/SKILL.md": skillText("one"),
      "skills/deep/two/SKILL.md": skillText("two"),
      "commands/run.md": "Run",
      "hooks/hooks.json": hooksText("x"),
      "mcp.json": JSON.stringify({ $schema: MCP_SCHEMA, mcpServers: {} }),
    };
    expect(read(files)).toMatchObject({
      name: "tools",
      format: "agent-plugins",
      version: "1.2",
      description: "D",
      places: { skills: ["skills/one/SKILL.md"], commands: [], agents: [], hooks: [], servers: ["mcp.json"] },
    });
    expect(problems(files)).toEqual([
      "unknown-key hooks",
      "field-ignored extensions",
      "other-format hooks/hooks.json",
    ]);
  });

  it.each([
    [{ name: "Tools" }, ["name-invalid", "Tools"]],
    [{ name: "a--b" }, ["name-invalid", "a--b"]],
    [{ name: "a..b" }, ["name-invalid", "a..b"]],
    [{ name: "-a" }, ["name-invalid", "-a"]],
    [{ name: "a/b" }, ["name-invalid", "a/b"]],
    [{ name: "a\u0007" }, ["name-invalid", "a\u0007"]],
    [{ name: "x".repeat(65) }, ["name-invalid", "x".repeat(65)]],
    [{ name: undefined }, ["name-invalid", "undefined"]],
    [{ version: 1 }, ["manifest-field", "plugin.json", "version"]],
    [{ author: { name: "A", twitter: "a" } }, ["manifest-field", "plugin.json", "author"]],
    [{ keywords: "a" }, ["manifest-field", "plugin.json", "keywords"]],
    [{ $schema: SCHEMA.replace("1.0.0", "2.0.0") }, ["manifest-version", SCHEMA.replace("1.0.0", "2.0.0")]],
  ])("refuses %j", (fields, refusal) => {
    expect(refusalOf(() => read({ "plugin.json": agentManifest(fields) }))).toEqual(refusal);
  });

  it.each([
    { mcpServers: {} },
    { $schema: MCP_SCHEMA },
    { $schema: MCP_SCHEMA, mcpServers: {}, inputs: [] },
    { $schema: MCP_SCHEMA.replace("1.0.0", "1.1.0"), mcpServers: {} },
  ])("does not use the servers of %j, but everything else", (mcp) => {
    const files = {
      "plugin.json": agentManifest(),
      "mcp.json": JSON.stringify(mcp),
      "skills/one/SKILL.md": skillText("one"),
    };
    expect(read(files).places).toMatchObject({ servers: [], skills: ["skills/one/SKILL.md"] });
    expect(problems(files)).toEqual([`mcp-invalid ${MCP_SCHEMA}`]);
  });
});

describe("Claude Code's format", () => {
  it("finds components at the default places and at the named ones", () => {
    const files = {
      ".claude-plugin/plugin.json": claudeManifest({
        skills: "./more/",
        commands: ["./other/go.md", "./gone"],
        hooks: "./config/hooks.json",
        mcpServers: { inline: { command: "x" } },
        lspServers: { inline: { command: "x", extensionToLanguage: { ".x": "x" } } },
        outputStyles: "./styles",
      }),
      "skills/one/SKILL.md": skillText("one"),
      "more/two/SKILL.md": skillText("two"),
      "commands/sub/run.md": "Run",
      "other/go.md": "Go",
      "agents/a.md": "---\nname: a\n---\nA",
      "hooks/hooks.json": hooksText("x"),
      "config/hooks.json": hooksText("y"),
      ".mcp.json": "{}",
      ".lsp.json": "{}",
    };
    expect(read(files).places).toEqual({
      skills: ["more/two/SKILL.md", "skills/one/SKILL.md"],
      commands: ["commands/sub/run.md", "other/go.md"],
      agents: ["agents/a.md"],
      hooks: ["config/hooks.json", "hooks/hooks.json"],
      servers: [".claude-plugin/plugin.json", ".mcp.json"],
      languageServers: [".claude-plugin/plugin.json", ".lsp.json"],
    });
    expect(problems(files)).toEqual(["not-supported outputStyles", "missing-path commands gone"]);
  });

  it.each(["../other", "/etc", "./../x", "skills/../../x", "..\\x", "C:\\x"])(
    "does not use the path %s, which leads out of the plugin",
    (path) => {
      const fields = { skills: path, commands: [path], agents: path, hooks: path, mcpServers: path };
      const files = { ".claude-plugin/plugin.json": claudeManifest(fields) };
      expect(Object.values(read(files).places).flat()).toEqual([]);
      expect(problems(files)).toEqual(
        ["skills", "commands", "agents", "hooks", "mcpServers"].map(
          (field) => `path-outside ${field} ${path}`,
        ),
      );
    },
  );

  it("reads leniently: other fields are ignored, and so are values of another form", () => {
    const files = {
      ".claude-plugin/plugin.json": claudeManifest({ version: 2, commands: 5, keywords: "x", what: 1 }),
      "commands/run.md": "Run",
    };
    expect(read(files).places.commands).toEqual(["commands/run.md"]);
    expect(problems(files)).toEqual(["field-ignored version", "field-ignored commands"]);
  });

  it("takes the name of the folder for a plugin without a manifest, and refuses what has nothing of a plugin", () => {
    expect(read({ "skills/one/SKILL.md": skillText("one") })).toMatchObject({
      name: "folder",
      format: "claude",
    });
    expect(refusalOf(() => read({ "README.md": "Hello" }))).toEqual(["not-a-plugin"]);
  });

  it.each([
    ["{", ["manifest-not-json", ".claude-plugin/plugin.json"]],
    ["[]", ["manifest-not-json", ".claude-plugin/plugin.json"]],
    ["[".repeat(5_000), ["manifest-not-json", ".claude-plugin/plugin.json"]],
    [
      `{"name":"a","description":"${"x".repeat(9 * 1024 * 1024)}"}`,
      ["manifest-too-large", ".claude-plugin/plugin.json", "256"],
    ],
    [`{"name":"../../x"}`, ["name-invalid", "../../x"]],
    [`{"name":"a\u202eb"}`, ["name-invalid", "a\u202eb"]],
  ])("refuses the manifest %.20s", (text, refusal) => {
    expect(refusalOf(() => read({ ".claude-plugin/plugin.json": text }))).toEqual(refusal);
  });
});

it("lists what a plugin adds with whole commands, and what is wrong in its files", async () => {
  const tree = pluginTree({
    ".claude-plugin/plugin.json": claudeManifest(),
    "skills/one/SKILL.md": skillText("one", "First."),
    "commands/run.md": "---\ndescription: Runs.\n---\nRun",
    "agents/a.md": "---\nname: helper\ndescription: Helps.\npermissionMode: bypassPermissions\n---\nA",
    "hooks/hooks.json": JSON.stringify({
      hooks: {
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of hooks
        Stop: [{ hooks: [{ type: "command", command: `\${CLAUDE_PLUGIN_ROOT}/${"long".repeat(200)}.sh` }] }],
        Unknown: [],
      },
    }),
    ".mcp.json": JSON.stringify({ files: { command: "npx", args: ["-y", "server"] }, bad: { command: 1 } }),
  });
  const { components, problems } = await contentOfPlugin(
    tree,
    readPluginManifest(tree, { name: "x" }),
    "linux",
  );
  expect(components).toEqual([
    { kind: "skill", name: "tools:one", detail: "First.", file: "skills/one/SKILL.md" },
    { kind: "command", name: "tools:run", detail: "Runs.", file: "commands/run.md" },
    { kind: "agent", name: "tools:helper", detail: "Helps.", file: "agents/a.md" },
    {
      kind: "hook",
      name: "Stop",
      detail: `\${CLAUDE_PLUGIN_ROOT}/${"long".repeat(200)}.sh`,
      file: "hooks/hooks.json",
    },
    { kind: "server", name: "plugin_tools_files", detail: "npx -y server", file: ".mcp.json" },
  ]);
  expect(problems.map(({ code, values }) => [code, values[0], values[2]])).toEqual([
    ["in-file", "hooks/hooks.json", "hook-event-unknown"],
    ["in-file", ".mcp.json", "must-be-string"],
  ]);
});

it("an update shows each component and each file that differs", async () => {
  const contentOf = async (files: Record<string, string>) => {
    const tree = pluginTree(files);
    const { components } = await contentOfPlugin(tree, readPluginManifest(tree, { name: "tools" }), "linux");
    return { components, files: await recordsOf(tree) };
  };
  const before = await contentOf({ "commands/run.md": "Run", "commands/old.md": "Old", "a.sh": "1" });
  const after = await contentOf({
    "commands/run.md": "Run",
    "hooks/hooks.json": hooksText("rm -r x"),
    "a.sh": "2",
  });
  const { components, files } = pluginDifference({ version: "1", ...before }, after);
  expect(components.map(({ change, component }) => [change, component.kind, component.detail])).toEqual([
    ["added", "hook", "rm -r x"],
    ["removed", "command", "Old"],
  ]);
  expect(files).toEqual([
    { change: "changed", path: "a.sh" },
    { change: "removed", path: "commands/old.md" },
    { change: "added", path: "hooks/hooks.json" },
  ]);
});
