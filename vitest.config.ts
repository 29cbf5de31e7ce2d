import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { LATE_OPTIMIZATION } from "./src/cli/start/v8-flags.ts";

/** Tests that start shells, git or other processes and wait for them: `npm run check` skips them. */
const SYSTEM = [
  "test/harness/**/*.test.ts",
  "test/safety/{allowed-is-run,git}{,.long}.test.ts",
  "test/unit/core/checkpoints/**/*.test.ts",
  "test/unit/node/{sandbox,servers,language-servers}/**/*.test.ts",
  // Minutes on a busy machine.
  "test/unit/{node,vscode}/heap-slope.long.test.ts",
  "test/unit/node/browser/{pages,private,public,life}{,.long}.test.ts",
  "test/unit/node/{bad-input*,code-page,git*,hook-runs,many-sessions-killed,run-program,session-processes,shell,shells,typing,workspace-snapshots}{,.long}.test.ts",
];

/**
 * Maximum test files that run at once. They wait for other processes more than they compute, so the smallest machine
 * can run two; by default vitest would use one of two cores. $NEKODE_WORKERS is set where suites run beside each other: the
 * option of vitest's command line has no effect on projects.
 */
const maxWorkers = Number(process.env.NEKODE_WORKERS) || Math.max(2, availableParallelism() - 1);

/** Results from other processes may be slow on a busy machine: only one that never arrives should fail. */
const EXPECTATIONS = { poll: { timeout: 30_000, interval: 50 } };

/**
 * Tests of the second tier, which `npm run test:all` runs: they run alone, when named, and not with the others. What they prove
 * a shorter test proves for `npm test`.
 */
const LONG = ["**/*.long.test.ts"];
const secondTier = process.argv.some((argument) => argument.includes(".long.test"));
const notLong = secondTier ? [] : LONG;

/** Writes what each file cost, when asked to. */
const COST = "test/support/file-cost.ts";

/**
 * Linux copies the page tables of a process that starts a program. A worker has 150 MB and more outside V8's heap, which took
 * two thirds of the time of a short program such as git. In pages of 2 MB, which glibc asks for then, next to nothing is
 * left to copy; tests that start no program pay a twentieth for it. Other systems do not know the variable. The setup file
 * keeps it from what tests start.
 */
const LARGE_PAGES = { GLIBC_TUNABLES: "glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=33554432" };
const MEMORY = "test/support/worker-memory.ts";

/**
 * V8 would optimize the WebAssembly of SQLite and of each grammar in the background, for longer than the tests then run it: a third of
 * the time of all unit tests. With its own threshold for JavaScript, they take a sixth longer. Threads of its own for short collections
 * take processors from the other suite.
 */
const V8_FLAGS = ["--liftoff-only", "--no-parallel-scavenge", ...LATE_OPTIMIZATION];

/**
 * Milliseconds for a test of the first two projects, which `npm test` runs beside a browser and an extension host. `npm run mutate`, in which
 * a test may wait for what a fault prevents, sets $NEKODE_TEST_TIMEOUT.
 */
const TEST_TIMEOUT = Number(process.env.NEKODE_TEST_TIMEOUT) || 120_000;

/** A hook may build a bundle or a repository, which takes half of vitest's default ten seconds on a busy machine. */
const HOOK_TIMEOUT = 60_000;

/**
 * One worker runs many files, which saves a quarter of the time. Modules of core and shared keep no state except state
 * bound to an object that was passed in and the memos that test/unit/architecture.test.ts lists; modules of node keep
 * only state that belongs to the process.
 */
const shared = {
  environment: "node",
  isolate: false,
  unstubEnvs: true,
  execArgv: V8_FLAGS,
  maxWorkers,
  expect: EXPECTATIONS,
  hookTimeout: HOOK_TIMEOUT,
  setupFiles: [COST],
};

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: "unit",
          include: ["test/unit/**/*.test.ts", "test/safety/**/*.test.ts"],
          exclude: [...SYSTEM, ...notLong],
          testTimeout: TEST_TIMEOUT,
        },
      },
      {
        test: {
          ...shared,
          name: "system",
          env: LARGE_PAGES,
          setupFiles: [MEMORY, COST],
          include: SYSTEM,
          exclude: notLong,
          testTimeout: TEST_TIMEOUT,
        },
      },
      {
        test: {
          // Tests of the built terminal host: run `npm run build` first.
          name: "cli",
          include: ["test/cli/**/*.test.ts"],
          exclude: notLong,
          env: LARGE_PAGES,
          setupFiles: [MEMORY, COST],
          globalSetup: ["test/cli/environment.ts"],
          environment: "node",
          execArgv: V8_FLAGS,
          // Files of one worker share the program that they run in their process.
          isolate: false,
          maxWorkers,
          expect: EXPECTATIONS,
          testTimeout: 120_000,
          hookTimeout: HOOK_TIMEOUT,
        },
      },
      {
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          exclude: notLong,
          globalSetup: ["test/browser/support/environment.ts"],
          setupFiles: [COST],
          environment: "node",
          execArgv: V8_FLAGS,
          // Files of one worker share a browser.
          isolate: false,
          maxWorkers,
          expect: EXPECTATIONS,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          exclude: notLong,
          globalSetup: ["test/e2e/support/environment.ts"],
          setupFiles: [COST, "test/e2e/support/hooks.ts"],
          environment: "node",
          execArgv: V8_FLAGS,
          // Files of one worker share servers and a browser.
          isolate: false,
          maxWorkers,
          expect: EXPECTATIONS,
          testTimeout: 180_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          // Tests of the built terminal host on Windows' own Node, under Wine: `npm run test:windows` runs them, nothing else.
          name: "windows",
          include: ["test/windows/**/*.test.ts"],
          exclude: notLong,
          globalSetup: ["test/windows/environment.ts"],
          setupFiles: [COST],
          environment: "node",
          execArgv: V8_FLAGS,
          isolate: false,
          maxWorkers,
          expect: EXPECTATIONS,
          testTimeout: 180_000,
          hookTimeout: HOOK_TIMEOUT,
        },
      },
      {
        test: {
          // Tests of the built terminal host with servers that others wrote: `npm run test:servers` runs them, nothing else.
          name: "servers",
          include: ["test/servers/**/*.test.ts"],
          exclude: notLong,
          globalSetup: ["test/servers/environment.ts"],
          setupFiles: [COST],
          environment: "node",
          execArgv: V8_FLAGS,
          isolate: false,
          maxWorkers,
          expect: EXPECTATIONS,
          testTimeout: 300_000,
          hookTimeout: HOOK_TIMEOUT,
        },
      },
    ],
  },
});
