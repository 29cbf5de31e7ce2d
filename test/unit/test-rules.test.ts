/**
 * What makes a test red by chance, one kind a rule. Each rule has an example that it must find and one that it must leave
 * alone, so that none of them can be broken without notice.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

interface Rule {
  kind: string;
  /** What to write instead. */
  instead: string;
  where: RegExp;
  /** Positions of what is wrong in a file. */
  find(text: string): Iterable<number>;
  wrong: string;
  right: string;
}

const folder = path.join(import.meta.dirname, "..");
const ALL = /\.ts$/;
/** Everything that vitest runs: the suite of the extension host has another runner. */
const VITEST = /^(?!vscode\/).*\.ts$/;

const matches = (pattern: RegExp) => (text: string) => [...text.matchAll(pattern)].map(({ index }) => index);

/** The end of what begins with the parenthesis at `start`, strings left out of account. */
function endOf(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === "(") depth++;
    if (text[at] === ")" && --depth === 0) return at + 1;
  }
  return text.length;
}

const READS =
  /\.(?:count|textContent|innerText|isVisible|isHidden|isEnabled|isDisabled|isChecked|inputValue|getAttribute|allTextContents|allInnerTexts|boundingBox)\([^()]*\)\)*(?:\?\.\w+)?,?\s*\)$/;
/** That something is not there is read once: what vanishes by itself would pass any number of looks. */
const ABSENT = /^\s*\.(?:not\b|toBe\((?:0|false)\)|toEqual\(\[\]\))/;

/** Expectations that read a page once, of something that is to be there. */
function* readOnce(text: string): Generator<number> {
  for (const {
    index,
    0: { length },
  } of text.matchAll(/\bexpect(?=\(\s*\(?await\s)/g)) {
    const end = endOf(text, index + length);
    if (READS.test(text.slice(index, end)) && !ABSENT.test(text.slice(end))) yield index;
  }
}

const RULES: Rule[] = [
  {
    kind: "a page is read once, although it may change a moment later",
    instead: "await expect.poll(() => locator.count())",
    where: /^(?:browser|e2e)\/.*\.ts$/,
    find: readOnce,
    wrong: 'await button.click();\nexpect(await page.getByTestId("row").count()).toBe(2);',
    right: "await expect.poll(() => row.count()).toBe(2);\nexpect(await row.count()).toBe(0);",
  },
  {
    kind: "where the focus is, or what overflows, is read once",
    instead: "await expect.poll(focused)",
    where: /^browser\/.*\.ts$/,
    find: matches(/\bexpect\(await (?:focused|overflow)\(\)\)\.to/g),
    wrong: 'expect(await focused()).toBe("chat-input");',
    right: 'expect(await focused()).not.toBe("chat-input");',
  },
  {
    kind: "a button that shows under the pointer is clicked after the pointer came, although what it is on may have moved away",
    instead: "clickOn of test/support/pointer.ts",
    where: /^(?:browser|e2e)\/.*\.ts$/,
    find: matches(/\.hover\(\);\n\s*await [^;]*\.click\(\);/g),
    wrong: 'await item.hover();\nawait item.getByTestId("edit").click();',
    right:
      'await clickOn(item, item.getByTestId("edit"));\nawait item.hover();\nawait page.mouse.wheel(0, 9);',
  },
  {
    kind: "the time that something took is asserted",
    instead: "let what must not be waited for never end: the test's own limit ends it then",
    where: ALL,
    find: matches(
      /\bexpect\((?:performance|Date)\.now\(\)\s*-|\bassert[.\w]*\((?:performance|Date)\.now\(\)\s*-/g,
    ),
    wrong: "expect(performance.now() - before).toBeLessThan(500);",
    right: "await expect.poll(() => Date.now() - statSync(file).birthtimeMs).toBeGreaterThan(50);",
  },
  {
    kind: "a wait has a limit of its own, or one of a second that vitest gives it",
    instead: "expect.poll, whose limit is the project's; the test's own limit ends what never comes",
    where: VITEST,
    find: matches(/\bvi\.wait(?:For|Until)\(|\bAbortSignal\.timeout\(|\.waitForTimeout\(/g),
    wrong: "await vi.waitFor(() => expect(isAlive(pid)).toBe(false));",
    right: "await expect.poll(() => isAlive(pid)).toBe(false);",
  },
  {
    kind: "an event is listened for after what may already have brought it about",
    instead: "const loaded = page.waitForEvent(…) before the act, and await loaded after it",
    where: ALL,
    find: matches(
      /\bawait (?:\w+\.)*(?:page|context\(\))\.waitFor(?:Event|Request|Response)\(|\bawait [^\n]*;\n\s*(?:const [^\n=]*= )?await once\(/g,
    ),
    wrong: 'await button.click();\nawait page.waitForEvent("filechooser");',
    right: 'const choosing = page.waitForEvent("filechooser");\nchild.kill();\nawait once(child, "exit");',
  },
  {
    kind: "an assertion is not awaited, so that its failure comes after the test or never",
    instead: "await",
    where: VITEST,
    find: matches(/(?<!=>\s*)(?<=^[ \t]*)expect(?:\s*\.poll\(|\([^;]*?\)\s*\.(?:rejects|resolves)\b)/gm),
    wrong: "\n  expect(asked).rejects.toThrow();",
    right:
      "\n  await expect(asked).rejects.toThrow();\n  expect(one).toBe(2);\n  await expect(asked).resolves.toBe(1);\n  lock(() =>\n    expect(asked).rejects.toThrow(),\n  );",
  },
  {
    kind: "a temporary folder has a fixed name, which two tests share",
    instead: "mkdtemp",
    where: ALL,
    find: matches(
      /(?<!mkdtemp(?:Sync)?\(\s*(?:path\.)?)\bjoin\(\s*(?:os\.)?tmpdir\(\),\s*(["'`])[^"'`$]*\1,?\s*\)/g,
    ),
    wrong: 'const folder = path.join(tmpdir(), "nekode-test");',
    right: 'const folder = await mkdtemp(path.join(tmpdir(), "nekode-test-"));',
  },
  {
    kind: "a server listens on a fixed port",
    instead: "listen(0), or freePort of test/support/free-port.ts",
    where: ALL,
    find: matches(/\.listen\(\s*(?:\{\s*port:\s*)?[1-9]\d/g),
    wrong: 'server.listen(8080, "127.0.0.1");',
    right: 'server.listen(0, "127.0.0.1");',
  },
  {
    kind: "the environment of the process changes for all files of a worker",
    instead: "vi.stubEnv, which is undone after each test",
    where: VITEST,
    find: matches(/^(?!.*["'`]).*(?:\bprocess\.env(?:\.\w+|\[[^\]]+\]) = |\bdelete process\.env\b)/gm),
    wrong: "  process.env.LANG = root;",
    right: '  vi.stubEnv("LANG", root);\n  const env = { ...process.env, LANG: "C" };',
  },
];

/** Replaced for all files of a worker until somebody puts it back. */
const PAIRS: [taken: RegExp, back: RegExp][] = [
  [/\bvi\.spyOn\(/, /\bmockRestore\(/],
  [/\bvi\.useFakeTimers\(/, /\bvi\.useRealTimers\(/],
  [/\bvi\.stubGlobal\(/, /\bvi\.unstubAllGlobals\(/],
];

const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, "/"))
  .filter((file) => file.endsWith(".ts") && file !== "unit/test-rules.test.ts");
const textOf = (file: string) => readFileSync(path.join(folder, file), "utf8");
const lineOf = (text: string, at: number) => text.slice(0, at).split("\n").length;

describe("no test is red by chance where", () => {
  it.each(RULES)("$kind", ({ instead, where, find, wrong, right }) => {
    expect([...find(wrong)]).toHaveLength(1);
    expect([...find(right)]).toEqual([]);
    const looked = files.filter((file) => where.test(file));
    expect(looked.length).toBeGreaterThan(20);
    const found = looked.flatMap((file) => {
      const text = textOf(file);
      return [...find(text)].map((at) => `${file}:${lineOf(text, at)}`);
    });
    expect(found, `instead: ${instead}`).toEqual([]);
  });

  it("what a test replaces in the process is still replaced in the next one", () => {
    const isLeft = (text: string) => PAIRS.some(([taken, back]) => taken.test(text) && !back.test(text));
    expect(isLeft('const spy = vi.spyOn(Judge.prototype, "prepare");')).toBe(true);
    expect(isLeft("vi.useFakeTimers();\nonTestFinished(() => void vi.useRealTimers());")).toBe(false);
    expect(files.filter((file) => isLeft(textOf(file)))).toEqual([]);
  });
});
