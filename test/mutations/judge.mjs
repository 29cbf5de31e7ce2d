// Property 18: what runs without a question can do no harm. There is no sandbox yet, so this is the judge of commands.

const CASES = ["unit test/safety/commands.test.ts"];

/** @type {import("./properties.mjs").Mutation[]} */
export const mutations = [
  {
    name: "grep recurses with the beginning of the word, and counts as reading the named files",
    file: "src/core/safety/paths/trees.ts",
    find: '!/^(?:read|skip)$/.test(value ?? "")',
    replace: 'value === "recurse"',
    property: 18,
    tests: ["system test/safety/option-forms.test.ts"],
  },
  {
    name: "an option of grep that is not understood does not recurse",
    file: "src/core/safety/paths/trees.ts",
    find: "if (!read) return below(folders, { ...EVERYTHING, follows: true });\n  const has",
    replace: "if (!read) return [];\n  const has",
    property: 18,
    tests: ["system test/safety/option-forms.test.ts"],
  },
  {
    name: "the reflog is printed without being looked at",
    file: "src/core/safety/git/reflog.ts",
    find: 'if (sub !== "reflog" && !walks) return undefined;',
    replace: "if (!walks) return undefined;",
    property: 18,
    tests: ["system test/safety/git-shows.test.ts"],
  },
  {
    name: "a command with a hidden character is judged by what is visible",
    file: "src/core/safety/commands/judge-command.ts",
    find: `if (hidden) return { ...result,`,
    replace: `if (hidden && !result.reading.ok) return { ...result,`,
    property: 18,
    tests: CASES,
  },
  {
    name: "sort -o counts as reading",
    file: "src/core/safety/programs/text-tools.ts",
    find: `  short: "bdfgiMhnRrVcCmsuz",
  valued: "kt",`,
    replace: `  short: "bdfgiMhnRrVcCmsuz",
  valued: "kot",`,
    property: 18,
    tests: CASES,
  },
  {
    name: "rg --pre, which runs a program, counts as searching",
    file: "src/core/safety/programs/text-tools.ts",
    find: `"after-context before-context color colors context context-separator dfa-size-limit`,
    replace: `"pre after-context before-context color colors context context-separator dfa-size-limit`,
    property: 18,
    tests: CASES,
  },
  {
    name: "the second operand of uniq, to which it writes, counts as reading",
    file: "src/core/safety/programs/text-tools.ts",
    find: `  oneAtTheEnd(reasonOf("writes-file")),`,
    replace: `  atMost(2, reasonOf("writes-file")),`,
    property: 18,
    tests: CASES,
  },
  {
    name: "a git format that runs gpg counts as showing",
    file: "src/core/safety/programs/git-program.ts",
    find: "/^--(?:format|pretty)$/.test(o.name) && /%G|signature/.test",
    replace: "/^--format$/.test(o.name) && /%G|signature/.test",
    property: 18,
    tests: CASES,
  },
  {
    name: "a program that PATH finds in the project runs under the name of a reading one",
    file: "src/core/safety/commands/judge-command.ts",
    find: `    shadowedProgram(seen.command, shell, reads) ??
`,
    replace: "",
    property: 18,
    tests: ["unit test/unit/node/programs.test.ts"],
  },
  {
    name: "commands that the judge does not allow run where safe ones do",
    file: "src/core/safety/policy.ts",
    find: `if (settings.commandSafe && command.verdict === "allow") return allow(command.reason);`,
    replace: `if (settings.commandSafe && command.verdict !== "deny") return allow(command.reason);`,
    property: 18,
    tests: ["unit test/unit/core/safety/policy.test.ts"],
  },
];
