/** Five tasks as scripts: what a model does one step after the other, whatever the tools of its agent are called. */
import { Random } from "../../support/random.ts";

export type ScriptStep = { says: string } & (
  | { kind: "read"; path: string }
  | { kind: "search"; path: string; pattern: string }
  | { kind: "edit"; path: string; old: string; new: string }
  | { kind: "write"; path: string; content: string }
  /** `renames`: the command replaces the first text with the second in all files. */
  | {
      kind: "command";
      command: string;
      output: string;
      exitCode: number;
      renames?: readonly [string, string];
    }
);

export interface TaskScript {
  name: string;
  task: string;
  files: Readonly<Record<string, string>>;
  steps: readonly ScriptStep[];
  answer: string;
}

const VERBS = [
  "load",
  "merge",
  "count",
  "check",
  "format",
  "collect",
  "resolve",
  "update",
  "select",
  "store",
];
const NOUNS = [
  "Order",
  "Invoice",
  "Customer",
  "Price",
  "Stock",
  "Address",
  "Payment",
  "Report",
  "Limit",
  "Rate",
];

/** One function of seven lines; no other function of its file has any of its first six lines. */
function functionText(random: Random, at: number): string {
  const name = `${random.pick(VERBS)}${random.pick(NOUNS)}${at}`;
  const item = random.pick(NOUNS).toLowerCase();
  const limit = random.int(10, 990);
  return [
    `/** Gives the ${item}s of batch ${at} that are worth more than ${limit}. */`,
    `export function ${name}(${item}s: readonly ${random.pick(NOUNS)}[], factor = ${at}): number {`,
    `  const chosen${at} = ${item}s.filter(({ value }) => value * factor > ${limit});`,
    `  if (chosen${at}.length === 0) return ${at};`,
    `  return chosen${at}.reduce((sum, { value }) => sum + value * factor, ${limit});`,
    `} // end of ${name}`,
    "",
  ].join("\n");
}

/** A module of so many functions, the same for the same seed. */
function moduleText(seed: number, functions: number): string {
  const random = new Random(seed);
  const head = NOUNS.slice(0, 4).map((noun) => `import type { ${noun} } from "./${noun.toLowerCase()}.ts";`);
  return [...head, "", ...Array.from({ length: functions }, (_, at) => functionText(random, at))].join("\n");
}

/** An edit of two lines of function number `at`, with the line above and the one below. */
function edit(path: string, text: string, at: number, says: string): ScriptStep {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => line.includes(`const chosen${at} =`));
  const old = lines.slice(first - 1, first + 3);
  const changed = old.map((line, index) =>
    index === 1
      ? line.replace("value * factor", "Math.round(value * factor)")
      : index === 2
        ? `${line.replace("return", "return -")}\n  chosen${at}.sort((a, b) => b.value - a.value);`
        : line,
  );
  return { kind: "edit", path, old: old.join("\n"), new: changed.join("\n"), says };
}

const read = (path: string, says: string): ScriptStep => ({ kind: "read", path, says });
const search = (pattern: string, says: string, path = "src"): ScriptStep => ({
  ...{ kind: "search", pattern, path, says },
});
const command = (line: string, output: string, says: string, exitCode = 0): ScriptStep => ({
  ...{ kind: "command", command: line, output, exitCode, says },
});

/** What a test runner prints, with so many failures. */
function testOutput(files: number, failures: number): string {
  const passed = Array.from(
    { length: files },
    (_, at) => ` ✓ test/orders/part-${at}.test.ts (${at + 3} tests) ${at * 7 + 5}ms`,
  );
  const failed = Array.from({ length: failures }, (_, at) => [
    ` FAIL  test/orders/totals.test.ts > totals of a batch > rounds the value of batch ${at}`,
    `AssertionError: expected ${at * 10 + 3.07} to be ${at * 10 + 3} // Object.is equality`,
    "",
    `- Expected`,
    `+ Received`,
    "",
    `- ${at * 10 + 3}`,
    `+ ${at * 10 + 3.07}`,
    "",
    ` ❯ test/orders/totals.test.ts:${at * 9 + 14}:41`,
    `     ${at * 9 + 12}|   it("rounds the value of batch ${at}", () => {`,
    `     ${at * 9 + 13}|     const orders = [{ value: ${at + 1.01} }, { value: ${at + 2.06} }];`,
    `     ${at * 9 + 14}|     expect(totalOfBatch(orders, ${at})).toBe(${at * 10 + 3});`,
    `       |                                         ^`,
    "",
  ]);
  const sum = failures > 0 ? `${failures} failed | ${files * 6} passed` : `${files * 6} passed`;
  return [...passed, ...failed.flat(), `      Tests  ${sum}`, "   Duration  2.31s", ""].join("\n");
}

const price = moduleText(1, 12);
const cart = moduleText(2, 20);
const tax = moduleText(3, 9);

const bug: TaskScript = {
  name: "a bug over three files",
  task: "The total of a cart with a discount is off by a cent. Find out why and fix it.",
  files: {
    "src/price.ts": price,
    "src/cart.ts": cart,
    "src/tax.ts": tax,
    "test/cart.test.ts": moduleText(4, 14),
  },
  steps: [
    search("factor = [358]\\b", "I'll look for where the factors are set."),
    read("src/price.ts", "The prices come from here."),
    read("src/cart.ts", "Next, how the cart adds them up."),
    read("src/tax.ts", ""),
    read("test/cart.test.ts", "Let me see what the tests expect."),
    command(
      "npx vitest run test/cart.test.ts",
      testOutput(2, 4),
      "I'll run the tests to see the failure.",
      1,
    ),
    edit("src/price.ts", price, 5, "Each value has to be rounded before it is compared."),
    edit("src/cart.ts", cart, 8, ""),
    edit("src/tax.ts", tax, 3, "The tax has the same fault."),
    command("npx vitest run test/cart.test.ts", testOutput(3, 0), "Now the tests again."),
  ],
  answer:
    "The total was off because values were compared before they were rounded. `src/price.ts`, `src/cart.ts` and `src/tax.ts` now round first; all tests of the cart pass.",
};

const users = Object.fromEntries(
  Array.from({ length: 10 }, (_, at) => [
    `src/users/part${at}.ts`,
    `import { fetchUser } from "../api.ts";\n\n${moduleText(10 + at, 6)}\nexport const user${at} = fetchUser(${at});\nexport const next${at} = fetchUser(${at + 1});\n`,
  ]),
);

const rename: TaskScript = {
  name: "a rename over ten files",
  task: "Rename fetchUser to loadUser everywhere.",
  files: {
    ...users,
    "src/api.ts": `${moduleText(9, 5)}\nexport const fetchUser = (id: number) => ({ id });\n`,
  },
  steps: [
    search("fetchUser", "I'll find all uses first."),
    read("src/api.ts", "This is the declaration."),
    {
      kind: "command",
      command: "grep -rl fetchUser src | xargs sed -i 's/\\bfetchUser\\b/loadUser/g'",
      output: "",
      exitCode: 0,
      renames: ["fetchUser", "loadUser"],
      says: "All uses are calls or imports, so one command renames them.",
    },
    search("fetchUser", ""),
    command("npx tsc --noEmit", "", "No use is left. I'll check the types."),
    command("npx vitest run", testOutput(14, 0), ""),
  ],
  answer: "`fetchUser` is now `loadUser` in its declaration and in ten files. The types and all tests pass.",
};

const modules = Object.fromEntries(
  Array.from({ length: 16 }, (_, at) => [`src/orders/module${at}.ts`, moduleText(30 + at, 6 + at)]),
);

const exploration: TaskScript = {
  name: "a long exploration",
  task: "Explain how a batch of orders becomes a report, and which modules take part. Change nothing.",
  files: modules,
  steps: [
    command(
      "git log --oneline -20",
      Array.from(
        { length: 20 },
        (_, at) => `${(at * 7919 + 100_000).toString(16)} fix(orders): batch ${at} is counted once\n`,
      ).join(""),
      "I'll begin with the history.",
    ),
    ...Object.keys(modules).flatMap((path, at) => [
      ...(at % 3 === 0
        ? [
            search(
              `${VERBS[at % 10] ?? ""}(Report|Order|Stock)`,
              `Where does "${VERBS[at % 10] ?? ""}" lead?`,
            ),
          ]
        : []),
      read(path, at % 2 === 0 ? `Module ${at} takes part.` : ""),
    ]),
    command(
      "wc -l src/orders/*.ts",
      Object.keys(modules)
        .map((path, at) => `  ${50 + 7 * at} ${path}\n`)
        .join(""),
      "",
    ),
  ],
  answer: Object.keys(modules)
    .map(
      (path, at) =>
        `${at + 1}. \`${path}\` selects the orders of its batch, checks each value against the limit, and hands the sum to the next module.`,
    )
    .join("\n"),
};

const large = moduleText(50, 60);

const manyEdits: TaskScript = {
  name: "30 edits of one file",
  task: "Round the values in the first half of src/batches.ts, and sort what was chosen, largest first. Do it function by function.",
  files: { "src/batches.ts": large },
  steps: [
    read("src/batches.ts", "I'll read the file first."),
    ...Array.from({ length: 30 }, (_, at) =>
      edit("src/batches.ts", large, at, at % 5 === 0 ? `Next are the functions from ${at} on.` : ""),
    ),
    command("npx vitest run test/batches.test.ts", testOutput(4, 0), "All are done, so I'll run the tests."),
  ],
  answer:
    "The first 30 functions of `src/batches.ts` round each value before they compare it, and sort what they chose. All tests pass.",
};

const totals = moduleText(60, 10);
const orders = moduleText(61, 16);

const failingTests: TaskScript = {
  name: "failing tests, two corrections",
  task: "Write src/totals.ts, which adds up the orders of a batch, use it in src/orders.ts, and make the tests pass.",
  files: {
    "src/orders.ts": orders,
    "src/batch.ts": moduleText(62, 8),
    "test/totals.test.ts": moduleText(63, 12),
  },
  steps: [
    read("src/orders.ts", "I'll read what is there."),
    read("src/batch.ts", ""),
    read("test/totals.test.ts", "These are the tests that must pass."),
    { kind: "write", path: "src/totals.ts", content: totals, says: "I'll write the new module." },
    edit("src/orders.ts", orders, 4, "Now the orders use it."),
    command("npx vitest run", testOutput(30, 26), "", 1),
    edit("src/totals.ts", totals, 2, "Values have to be rounded one by one."),
    command("npx vitest run", testOutput(30, 16), "", 1),
    edit("src/totals.ts", totals, 6, "The second sum has the same fault."),
    command("npx vitest run", testOutput(30, 0), "Once more."),
  ],
  answer:
    "`src/totals.ts` adds up the orders of a batch and rounds each value; `src/orders.ts` uses it. All tests pass.",
};

export const TASK_SCRIPTS: readonly TaskScript[] = [bug, rename, exploration, manyEdits, failingTests];
