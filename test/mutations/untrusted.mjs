// Property 17: a workspace is untrusted input.

/** @type {import("./properties.mjs").Mutation[]} */
export const mutations = [
  {
    name: "the rules of a workspace that is not trusted are part of the prompt",
    file: "src/core/instructions/rules.ts",
    find: "if (workspace.trusted && workspace.root !== undefined) {",
    replace: "if (workspace.root !== undefined) {",
    property: 17,
    tests: ["unit test/unit/core/instructions/rules.test.ts"],
  },
  {
    name: "the workflows of a workspace that is not trusted are commands",
    file: "src/core/instructions/workflows.ts",
    find: "if (!workspace.trusted || workspace.root === undefined) return [];",
    replace: "if (workspace.root === undefined) return [];",
    property: 17,
    tests: ["unit test/unit/core/context/slash-commands.test.ts"],
  },
  {
    name: "a trusted workspace sets the endpoint that receives the key",
    file: "src/vscode/settings-reader.ts",
    find: "trusted && !isMachineScoped(key) ?",
    replace: "trusted ?",
    property: 17,
    tests: ["unit test/unit/vscode/parts.test.ts", "unit test/unit/vscode-manifest.test.ts"],
  },
  {
    name: "a workspace that is not trusted changes settings",
    file: "src/vscode/settings-reader.ts",
    find: "trusted && !isMachineScoped(key) ?",
    replace: "!isMachineScoped(key) ?",
    property: 17,
    tests: ["unit test/unit/vscode/parts.test.ts", "unit test/unit/vscode-manifest.test.ts"],
  },
  {
    name: "a workspace switches off the user's own rules",
    file: "src/vscode/settings-reader.ts",
    find: `workspace.filter((entry) => typeof entry !== "string" || !entry.startsWith("~"))`,
    replace: "workspace",
    property: 17,
    tests: ["unit test/unit/vscode/parts.test.ts"],
  },
  {
    name: "the approval of a project's server holds when its environment changes",
    file: "src/core/servers/content-hashes.ts",
    find: `["stdio", launch.command, launch.args, sorted(launch.env), launch.cwd ?? null]`,
    replace: `["stdio", launch.command, launch.args, launch.cwd ?? null]`,
    property: 17,
    tests: ["unit test/unit/core/servers/server-records.test.ts"],
  },
  {
    name: "a server is approved whose configuration changed while the user read it",
    file: "src/core/servers/project-servers.ts",
    find: "if (trust.content !== content)",
    replace: `if (trust.content === "")`,
    property: 17,
    tests: ["unit test/unit/core/servers/life.test.ts", "unit test/unit/core/servers/configuration.test.ts"],
  },
];
