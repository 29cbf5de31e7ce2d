// Property 12: every failure becomes a result that the model can act on, or a row that says what happened.

/** @type {import("./properties.mjs").Mutation[]} */
export const mutations = [
  {
    name: "a task that ends with an unexpected error shows no row",
    file: "src/core/loop/loop.ts",
    find: 'conversation.emit({ type: "error", id: host.newId(), error: view });',
    replace: 'if (isRequest) conversation.emit({ type: "error", id: host.newId(), error: view });',
    property: 12,
    tests: ["unit test/unit/core/agent/full-disk.test.ts"],
  },
  {
    name: "an answer without words or calls ends the turn without a row where the endpoint is content",
    file: "src/core/loop/request.ts",
    find: "if (error && !hasMalformedCall([message], this.#deps.registry)) throw error;",
    replace: `if (error && result.finish !== "stop" && !hasMalformedCall([message], this.#deps.registry)) throw error;`,
    property: 12,
    tests: ["unit test/unit/core/loop/loop.test.ts"],
  },
  {
    name: "an error that a tool did not expect is no result",
    file: "src/core/loop/calls/call-results.ts",
    find: `if (!(error instanceof ToolError)) this.#deps.host.log.error("a tool failed", error);`,
    replace: `if (!(error instanceof ToolError)) {
      this.#deps.host.log.error("a tool failed", error);
      throw error;
    }`,
    property: 12,
    tests: ["unit test/unit/core/loop/tools.test.ts", "unit test/unit/core/agent/discarded-previews.test.ts"],
  },
  {
    name: "a mention that cannot be included is not reported to the user",
    file: "src/core/loop/turn.ts",
    find: `  reportProblems(problems, options);
`,
    replace: "",
    property: 12,
    tests: ["unit test/unit/core/window/context-loop.test.ts"],
  },
  {
    name: "an answer that reached the output limit does not say so",
    file: "src/core/loop/request.ts",
    find: `if (result.finish === "length")`,
    replace: `if (result.finish === "length" && message.blocks.length === 0)`,
    property: 12,
    tests: ["unit test/unit/core/loop/responses-loop.test.ts"],
  },
];
