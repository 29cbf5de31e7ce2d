// Property 16: a parent task and its subtasks stop together, and a subtask is allowed no more than its parent.

const RIGHTS = ["unit test/unit/core/agent/subtasks/child-rights.test.ts"];
const EXPLORERS = ["unit test/unit/core/agent/subtasks/explorers.test.ts"];
const WORKERS = ["unit test/unit/core/agent/subtasks/workers.test.ts"];

/** @type {import("./properties.mjs").Mutation[]} */
export const mutations = [
  {
    name: "a subtask is allowed what its own session allows, whatever its parent does",
    file: "src/core/agent/session.ts",
    find: "this.approvals = new Approvals({ ...deps, ...terms, settings });",
    replace: "this.approvals = new Approvals({ ...deps, settings: permitted });",
    property: 16,
    tests: RIGHTS,
  },
  {
    name: "each subtask has the whole limit of requests and cost",
    file: "src/core/agent/session.ts",
    find: "this.#limits = new Limits(terms?.limits);",
    replace: "this.#limits = new Limits();",
    property: 16,
    tests: RIGHTS,
  },
  {
    name: "the approval of a subtask does not say whose it is",
    file: "src/core/agent/subtasks/child-mirror.ts",
    find: "approval: { ...this.#withAbsolutePaths(approval), callId: id, task },",
    replace: "approval: { ...this.#withAbsolutePaths(approval), callId: id },",
    property: 16,
    tests: RIGHTS,
  },
  {
    name: "a task that only reads can also run commands and load pages",
    file: "src/core/agent/subtasks/subtasks.ts",
    find: `return kind === "work" || access === "read";`,
    replace: `return kind === "work" || access !== "edit";`,
    property: 16,
    tests: EXPLORERS,
  },
  {
    name: "a subtask can start further tasks",
    file: "src/core/agent/subtasks/subtasks.ts",
    find: `return turnEnd === "completed" && !sideBySide;`,
    replace: `return turnEnd === "completed" || sideBySide === true;`,
    property: 16,
    tests: EXPLORERS,
  },
  {
    name: "a working subtask goes on writing when its parent enters plan mode",
    file: "src/core/agent/subtasks/subtasks.ts",
    find: "...(worktree ? { worktree, parentMode: () => transcript.mode } : {}),",
    replace: "...(worktree ? { worktree } : {}),",
    property: 16,
    tests: WORKERS,
  },
  {
    name: "after Stop, the changes of a subtask are proposed all the same",
    file: "src/core/agent/subtasks/subtasks.ts",
    find: `      const end = await this.#work(child, wanted, context);
      throwIfAborted(signal);
`,
    replace: `      const end = await this.#work(child, wanted, context);
`,
    property: 16,
    tests: [...RIGHTS, ...WORKERS],
  },
];
