// Property 13: each request begins with the one before it, except at named and counted breaks.

const WINDOW = ["unit test/unit/core/window/window.test.ts"];

/** @type {import("./properties.mjs").Mutation[]} */
export const mutations = [
  {
    name: "details of old messages are left out without a recorded step",
    file: "src/core/window/request-messages.ts",
    find: "const bare = index > 0 && index <= state.detailsUpTo && afterResults(out);",
    replace: "const bare = index > 0 && index < messages.length - 2 && afterResults(out);",
    property: 13,
    tests: WINDOW,
  },
  {
    name: "results are shortened without a recorded step",
    file: "src/core/window/fit.ts",
    find: `      await this.#record(before, plan);
      return plan;
    }
    const upTo`,
    replace: `      return plan;
    }
    const upTo`,
    property: 13,
    tests: WINDOW,
  },
  {
    name: "a break within the messages is not counted",
    file: "src/core/window/prefix.ts",
    find: "if (from < 0) return undefined;",
    replace: "if (from < last.messages.length) return undefined;",
    property: 13,
    tests: ["unit test/unit/core/window/prefix.test.ts"],
  },
  {
    name: "the tools for notebooks leave the task with its next turn",
    file: "src/core/loop/notebook-tools.ts",
    find: "    if (this.#isOffered) return;\n",
    replace: "",
    property: 13,
    tests: ["unit test/unit/core/loop/notebooks-loop.test.ts"],
  },
];
