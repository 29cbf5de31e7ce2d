// Stop reaches everything that the task started, and nothing follows.

/** @type {import("./properties.mjs").Mutation[]} */
export const mutations = [
  {
    name: "Stop does not reach the command's processes",
    file: "src/node/shell/running-commands.ts",
    find: "const onAbort = () => void command.end({ byUser: isStoppedByUser(signal) });",
    replace: "const onAbort = () => {};",
    property: 8,
    tests: ["system test/unit/node/shell.test.ts"],
  },
  {
    name: "Stop does not end the wait before a retry",
    file: "src/core/loop/request.ts",
    find: "AbortSignal.any([signal, retryNow.signal])",
    replace: "retryNow.signal",
    property: 8,
    tests: ["unit test/unit/core/loop/loop.test.ts"],
  },
  {
    name: "Stop does not end the model's stream",
    file: "src/core/provider/deadline.ts",
    find: '    outer.addEventListener("abort", this.#abort);\n',
    replace: "",
    property: 8,
    tests: ["unit test/unit/core/loop/loop.test.ts", "unit test/unit/core/provider/deadline.test.ts"],
  },
  {
    name: "Stop does not end the call of a server",
    file: "src/core/tools/servers/server-call.ts",
    find: "{ signal, onProgress }",
    replace: "{ signal: new AbortController().signal, onProgress }",
    property: 8,
    tests: ["unit test/unit/core/loop/servers-loop.test.ts"],
  },
  {
    name: "a call can be approved after Stop",
    file: "src/core/loop/calls/approvals.ts",
    find: "        this.#waiting.delete(callId);\n        reject(new Interrupt());",
    replace: "        reject(new Interrupt());",
    property: 8,
    tests: ["unit test/unit/core/loop/approvals.test.ts"],
  },
  {
    name: "Stop ends only what ends by itself when it is asked",
    file: "src/node/shell/process-tree.ts",
    find: '    for (const entry of survivors) signal(entry, "SIGKILL");\n',
    replace: "",
    property: 8,
    tests: ["system test/unit/node/shell.test.ts"],
  },
  {
    name: "a program that takes too long leaves what has left its tree",
    file: "src/node/run-program.ts",
    find: '...(scope === "group" && { mark: `${MARK}=${run}` })',
    replace: "",
    property: 8,
    tests: ["system test/unit/node/run-program.test.ts"],
  },
  {
    name: "a program that prints too much goes on",
    file: "src/node/run-program.ts",
    find: 'if (start.beyondLimit === "end") endBecause("output-limit");',
    replace: "",
    property: 8,
    tests: ["system test/unit/node/run-program.test.ts"],
  },
];
