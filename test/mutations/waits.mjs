// Property 11: no fixed sleeps, no polling where an event exists. `test/unit/timers.test.ts` lists the timers that there are.

const TIMERS = ["unit test/unit/timers.test.ts"];
const SLEEP_50 = "await new Promise((resolve) => setTimeout(resolve, 50));";

/** @type {import("./properties.mjs").Mutation[]} */
export const mutations = [
  {
    name: "a task that waits for a slot asks for it twenty times a second",
    file: "src/core/agent/project/turn-slots.ts",
    find: "    if (this.#waiting.length === 0 && this.#isFree()) {",
    replace: `    while (!this.#isFree() && !signal.aborted) ${SLEEP_50}
    if (this.#waiting.length === 0 && this.#isFree()) {`,
    property: 11,
    tests: TIMERS,
  },
  {
    name: "a restored subtask asks twenty times a second whether the user has decided",
    file: "src/core/agent/subtasks/subtasks.ts",
    find: "    if (this.#isDecided) return;",
    replace: `    while (!this.#isDecided && !signal.aborted) ${SLEEP_50}
    if (this.#isDecided) return;`,
    property: 11,
    tests: TIMERS,
  },
  {
    name: "what waits for new output of a command sleeps instead",
    file: "src/node/shell/command-output.ts",
    find: "      this.#listeners.add(onNews);",
    replace: "      this.#listeners.add(() => undefined);",
    property: 11,
    tests: ["unit test/unit/node/command-output.test.ts"],
  },
  {
    name: "the panel looks every second for a changed setup",
    file: "src/vscode/panel/bridge.ts",
    find: '  store.add(host.onRules(() => update("rules/changed", {})));',
    replace: `  const looking = setInterval(() => update("rules/changed", {}), 1_000);
  store.add({ dispose: () => clearInterval(looking) });`,
    property: 11,
    tests: TIMERS,
  },
  {
    name: "a button of the panel gets the focus after a fixed time",
    file: "webview-ui/foot/use-opener.ts",
    find: "if (toButton) button.current?.focus();",
    replace: "if (toButton) setTimeout(() => button.current?.focus(), 100);",
    property: 11,
    tests: TIMERS,
  },
  {
    name: "a helper of the tests sleeps before it looks",
    file: "test/support/agent.ts",
    find: "      const waiting = agent.view.active.approvals.first;",
    replace: `      ${SLEEP_50}
      const waiting = agent.view.active.approvals.first;`,
    property: 11,
    tests: TIMERS,
  },
];
