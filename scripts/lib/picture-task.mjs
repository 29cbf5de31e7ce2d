// The task in the READMEs' animated pictures: a bug, its fix as a diff, and the tests.

export const LANGUAGES = ["en", "ja"];

/** @type {Readonly<Record<string, string>>} */
export const FILES = {
  "package.json": '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }\n',
  "src/cart.js": `/** The price of everything in the cart. */
export function total(items) {
  let sum = 0;
  for (const item of items) {
    sum += item.price;
  }
  return sum;
}
`,
  "test/cart.test.js": `import assert from "node:assert/strict";
import test from "node:test";
import { total } from "../src/cart.js";

test("counts each item as often as it is in the cart", () => {
  assert.equal(total([{ price: 300, quantity: 2 }, { price: 50, quantity: 1 }]), 650);
});
`,
};

const WORDS = {
  en: {
    task: "The total in src/cart.js ignores quantities. Fix it and run the tests.",
    reading: "I'll look at the function first.",
    fixing: "The loop adds each price once. I multiply it by the quantity.",
    testing: "Now the tests.",
    done: "Fixed: `total` multiplies each price by its quantity. The tests pass.",
    steps: ["Read src/cart.js", "Fix the sum", "Run the tests"],
  },
  ja: {
    task: "src/cart.js の合計が数量を無視しています。直してテストを実行してください。",
    reading: "まず関数を確認します。",
    fixing: "価格が 1 回しか足されていません。数量を掛けます。",
    testing: "テストを実行します。",
    done: "修正しました。`total` は価格に数量を掛けます。テストは成功しました。",
    steps: ["src/cart.js を読む", "合計を直す", "テストを実行する"],
  },
};

/** @param {string} language */
const wordsOf = (language) => (language === "ja" ? WORDS.ja : WORDS.en);

const FIRST_WORDS = {
  en: {
    task: "The total in src/cart.js ignores quantities. Fix it.",
    fixing: "The loop adds each price once. I multiply it by the quantity.",
    done: "Fixed: `total` multiplies each price by its quantity.",
  },
  ja: {
    task: "src/cart.js の合計が数量を無視しています。直してください。",
    fixing: "価格が 1 回しか足されていません。数量を掛けます。",
    done: "修正しました。`total` は価格に数量を掛けます。",
  },
};

/** @param {string} language */
const firstWordsOf = (language) => (language === "ja" ? FIRST_WORDS.ja : FIRST_WORDS.en);

const DIFF = `------- SEARCH
    sum += item.price;
=======
    sum += item.price * item.quantity;
+++++++ REPLACE`;

/** The model that the newcomer has in Ollama. */
export const FIRST_MODEL = "qwen3:8b";

/** @param {string} language */
export const firstTask = (language) => firstWordsOf(language).task;

/** The answers of a model in Ollama to a newcomer's first task. @param {string} language */
export function firstScript(language) {
  const { fixing, done } = firstWordsOf(language);
  return {
    models: [FIRST_MODEL],
    chunkSize: 4,
    pace: 60,
    turns: [
      {
        match: { request: 1 },
        answer: [{ text: fixing }, { tool: "replace_in_file", params: { path: "src/cart.js", diff: DIFF } }],
      },
      { answer: [{ tool: "attempt_completion", params: { result: done } }] },
    ],
  };
}

/** @param {string} language */
export const demoTask = (language) => wordsOf(language).task;

/** The scripted model's answers. @param {string} language */
export function demoScript(language) {
  const { reading, fixing, testing, done, steps } = wordsOf(language);
  /** @param {number} ticked */
  const progress = (ticked) => steps.map((text, at) => `- [${at < ticked ? "x" : " "}] ${text}`).join("\n");
  /** @param {string} name @param {Record<string, string | boolean>} params */
  const call = (name, params) => ({ nativeTool: { name, params } });
  return {
    chunkSize: 4,
    pace: 60,
    turns: [
      {
        match: { request: 1 },
        answer: [{ text: reading }, call("read_file", { path: "src/cart.js", task_progress: progress(0) })],
      },
      {
        match: { request: 2 },
        answer: [
          { text: fixing },
          call("replace_in_file", { path: "src/cart.js", diff: DIFF, task_progress: progress(1) }),
        ],
      },
      {
        match: { request: 3 },
        answer: [
          { text: testing },
          call("execute_command", {
            command: "npm test",
            requires_approval: false,
            task_progress: progress(2),
          }),
        ],
      },
      { answer: [call("attempt_completion", { result: done, task_progress: progress(3) })] },
    ],
  };
}
