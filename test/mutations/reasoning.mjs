// Properties 15 and 19: what looks like a call is run or answered, and reasoning is never run, shown as the answer or counted as one.

/** @type {import("./properties.mjs").Mutation[]} */
export const mutations = [
  {
    name: "an answer that has only reasoning counts as an answer",
    file: "src/core/loop/answer.ts",
    find: `(block) => (block.type === "text" && block.text.trim() === "") || block.type === "reasoning",`,
    replace: `(block) => block.type !== "tool-call" && (!("text" in block) || block.text.trim() === ""),`,
    property: 19,
    tests: ["unit test/unit/core/loop/loop.test.ts"],
  },
  {
    name: "reasoning is part of the final answer that is checked and given to programs",
    file: "src/core/loop/loop.ts",
    find: `return blocks.map((block) => (block.type === "text" ? block.text : "")).join("");`,
    replace: `return blocks.map((block) => ("text" in block ? block.text : "")).join("");`,
    property: 19,
    tests: ["unit test/unit/core/loop/required-output.test.ts"],
  },
  {
    name: "a summary keeps the reasoning that came before it",
    file: "src/core/window/condense.ts",
    find: "const spoken = withoutReasoning(answer);",
    replace: "const spoken = answer;",
    property: 19,
    tests: ["unit test/unit/core/window/condense.test.ts"],
  },
  {
    name: "a call in reasoning that the answer ends with is not answered",
    file: "src/core/assistant/attempts.ts",
    find: `else if (block.type === "reasoning" && isLast) search.reasoning(block.text);`,
    replace: `else if (block.type === "reasoning" && index > 0 && isLast) search.reasoning(block.text);`,
    property: 15,
    tests: ["unit test/unit/core/loop/unread-loop.test.ts", "unit test/unit/core/assistant/attempts.test.ts"],
  },
  {
    name: "an unreadable call is forgotten when other calls of its message ran",
    file: "src/core/loop/loop.ts",
    find: `if (move.type === "ask" && (move.afterResults || isCut)) await this.#append(this.#unread());`,
    replace: `if (move.type === "ask" && (move.afterResults || isCut)) await this.#append([]);`,
    property: 15,
    tests: ["unit test/unit/core/loop/unread-loop.test.ts"],
  },
  {
    name: "the turn ends although its message has an unreadable call",
    file: "src/core/loop/loop.ts",
    find: `    if (answer.hasUnreadableCall) {
      await this.#results.failed(call, replies.NOT_RUN.unread, { outcome: "not-run" });
      return "next";
    }
`,
    replace: "",
    property: 15,
    tests: ["unit test/unit/core/loop/unread-loop.test.ts"],
  },
  {
    name: "the answer with an unreadable call ends the task",
    file: "src/core/loop/loop.ts",
    find: `if (hasUnreadableCall) return { type: "correct", why: "unread" };`,
    replace: `if (hasUnreadableCall && last.blocks.length > 1) return { type: "correct", why: "unread" };`,
    property: 15,
    tests: ["unit test/unit/core/loop/next-move.test.ts", "unit test/unit/core/loop/unread-loop.test.ts"],
  },
  {
    name: "a call that repeats what the model was given runs",
    file: "src/core/assistant/forms/text-calls.ts",
    find: "if (found === undefined || isQuoted(text.slice(found.at, found.end).trim())) return blocks;",
    replace: "if (found === undefined) return blocks;",
    property: 17,
    tests: ["unit test/unit/core/loop/unread-loop.test.ts"],
  },
  {
    name: "the content of a file is not fenced under the XML protocol",
    file: "src/core/provider/wire-history.ts",
    find: `if (protocol === "native" && part.origin === "local") return part;`,
    replace: `if (part.origin === "local") return part;`,
    property: 17,
    tests: ["unit test/unit/core/loop/fences-loop.test.ts"],
  },
  {
    name: "what an endpoint marks as reasoning is read for calls",
    file: "src/core/assistant/answer-reader.ts",
    find: `return [{ type: "reasoning", delta }];`,
    replace: "return this.text(delta);",
    property: 19,
    tests: ["unit test/unit/core/loop/loop.test.ts"],
  },
  {
    name: "reasoning of the name think does not end, so that no call after it runs",
    file: "src/core/assistant/xml/xml-parser.ts",
    find: "this.#closeTag = `</${start.name}>`;",
    replace: 'this.#closeTag = "</thinking>";',
    property: 15,
    tests: ["unit test/unit/core/assistant/xml.test.ts"],
  },
  {
    name: "what stands before a closing tag of reasoning alone is read for calls",
    file: "src/core/assistant/reasoning-forms.ts",
    find: "} else if (form.endsAlone && (leads || ends || form.isToken)) {",
    replace: "} else if (form.endsAlone && form.isToken) {",
    property: 19,
    tests: [
      "unit test/unit/core/assistant/reasoning-forms.test.ts",
      "unit test/unit/core/loop/unread-loop.test.ts",
    ],
  },
  {
    name: "a subtask that ends without an answer reports its reasoning as one",
    file: "src/core/agent/family/child-report.ts",
    find: `(block.type === "text" ? block.text.trim() : [])`,
    replace: `("text" in block ? block.text.trim() : [])`,
    property: 19,
    tests: ["unit test/unit/core/agent/family/child-report.test.ts"],
  },
];
