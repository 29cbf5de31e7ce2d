// Runs every *.test.ts of this folder with mocha inside VS Code's extension host; those of the second tier only where the whole is
// asked for. VS Code calls `run`.
import { writeFileSync } from "node:fs";
import { suites } from "suites:all";
import type { MochaOptions, Runner, Suite, Test } from "mocha";
import { isWhole } from "../support/random.ts";

interface Result {
  title: string;
  state: "passed" | "failed" | "skipped";
  durationMs: number;
  error?: string;
}

/** Rejects when a test failed. Results go to the file that $NEKODE_TEST_RESULTS names. */
export async function run(): Promise<void> {
  // Stack traces name the suites' own files.
  process.setSourceMapsEnabled(true);
  // mocha is an ES module, and stays outside of the bundle: it looks for its own files.
  const { default: Mocha } = await import("mocha");
  const results: Result[] = [];
  class Collector extends Mocha.reporters.Base {
    constructor(runner: Runner, options: MochaOptions) {
      super(runner, options);
      collect(runner, results);
    }
  }
  const mocha = new Mocha({
    ui: "bdd",
    timeout: 60_000,
    reporter: Collector,
    ...(process.env.NEKODE_TEST_GREP && { grep: process.env.NEKODE_TEST_GREP }),
  });
  // Both vocabularies: describe and it, suite and test.
  Mocha.interfaces.tdd?.(mocha.suite);
  for (const [file, load] of Object.entries(suites)) {
    if (file.endsWith(".long.test.ts") && !isWhole) continue;
    mocha.suite.emit("pre-require", globalThis, file, mocha);
    load();
  }
  mocha.suite.afterEach(async function () {
    if (this.currentTest?.state === "failed") await screenshot(`failed ${this.currentTest.fullTitle()}`);
  });
  const failures = await new Promise<number>((resolve) => {
    mocha.run(resolve);
  });
  const file = process.env.NEKODE_TEST_RESULTS;
  if (file) writeFileSync(file, JSON.stringify(results, null, 2));
  if (failures > 0) throw new Error(`${failures} failed`);
}

function collect(runner: Runner, results: Result[]): void {
  const add = (test: Test | Suite, state: Result["state"], error?: Error) => {
    const durationMs = "duration" in test ? (test.duration ?? 0) : 0;
    const details = error && { error: error.stack ?? error.message };
    results.push({ title: test.fullTitle(), state, durationMs, ...details });
    console.log(`${state} (${durationMs} ms): ${test.fullTitle()}${error ? `\n${error.stack}` : ""}`);
  };
  runner.on("pass", (test) => add(test, "passed"));
  runner.on("fail", (test, error) => add(test, "failed", error));
  runner.on("pending", (test) => add(test, "skipped"));
}

/**
 * Saves a picture of the window where a browser shows it (see launcher.mjs); does nothing in a desktop VS Code.
 * @param name becomes the file's name in test-results/vscode
 */
export async function screenshot(name: string): Promise<void> {
  const url = process.env.NEKODE_SCREENSHOT_URL;
  if (url) await fetch(`${url}?${new URLSearchParams({ name })}`, { method: "POST" });
}
