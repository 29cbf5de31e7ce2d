import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Tests that start shells, git or other processes, and wait for them: `npm run check` does without. */
const system = [
  "test/harness/**/*.test.ts",
  "test/safety/{allowed-is-run,git*,sweep}.test.ts",
  "test/unit/core/checkpoints/**/*.test.ts",
  "test/unit/node/{bad-input*,code-page,git*,session-processes,shell,shells,typing,workspace-snapshots}.test.ts",
];

/**
 * Files that run at once. They wait for other processes more than they compute, so that two are no burden for the
 * smallest machine; alone, vitest would take one of two cores.
 */
const maxWorkers = Math.max(2, availableParallelism() - 1);

/** What is expected of another process may take its time on a busy machine: only what never comes fails. */
const expectations = { poll: { timeout: 30_000, interval: 50 } };

/** What a hook prepares may be a bundle or a repository: half of vitest's own ten seconds on a busy machine. */
const hookTimeout = 60_000;

/**
 * One worker serves many files, which saves a quarter of the time: modules of core and shared have no state beyond what is
 * the same for everybody (test/unit/architecture.test.ts), and those of node only what is a process's own.
 */
const shared = {
  environment: "node",
  isolate: false,
  unstubEnvs: true,
  maxWorkers,
  expect: expectations,
  hookTimeout,
};

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: "unit",
          include: ["test/unit/**/*.test.ts", "test/safety/**/*.test.ts"],
          exclude: system,
          // `npm test` runs them beside a browser and an extension host.
          testTimeout: 60_000,
        },
      },
      {
        test: {
          ...shared,
          name: "system",
          include: system,
          testTimeout: 60_000,
        },
      },
      {
        test: {
          // The built terminal host: `npm run build` first.
          name: "cli",
          include: ["test/cli/**/*.test.ts"],
          environment: "node",
          maxWorkers,
          expect: expectations,
          testTimeout: 120_000,
          hookTimeout,
        },
      },
      {
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          globalSetup: ["test/browser/support/environment.ts"],
          environment: "node",
          // Files of one worker share its browser.
          isolate: false,
          maxWorkers,
          expect: expectations,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          globalSetup: ["test/e2e/support/environment.ts"],
          setupFiles: ["test/e2e/support/hooks.ts"],
          environment: "node",
          // Files of one worker share its servers and its browser.
          isolate: false,
          maxWorkers: 2,
          expect: expectations,
          testTimeout: 180_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
