import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/unit/**/*.test.ts", "test/safety/**/*.test.ts", "test/harness/**/*.test.ts"],
          environment: "node",
          // Core has no state of its own, so that one worker serves many files: a quarter of the time saved.
          isolate: false,
          unstubEnvs: true,
          // `npm test` runs them beside a browser and an extension host.
          testTimeout: 20_000,
        },
      },
      {
        test: {
          // The built terminal host: `npm run build` first.
          name: "cli",
          include: ["test/cli/**/*.test.ts"],
          environment: "node",
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          environment: "node",
          testTimeout: 30_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          globalSetup: ["test/e2e/support/environment.ts"],
          environment: "node",
          testTimeout: 120_000,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
