// Runs the extension-host suites: in the VS Code that $NEKODE_VSCODE names, else through the launcher.
import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "../../scripts/lib/dependencies.mjs";

/** The launcher's own bound is the same. */
const TIMEOUT_MS = 20 * 60_000;

/**
 * Settings of what no suite is about: it would be drawn again and again, without a graphics card, or would run beside the suites. A
 * VS Code in a browser saves by itself by default, which a suite turns on where it is meant.
 */
const QUIET = {
  "breadcrumbs.enabled": false,
  "editor.bracketPairColorization.enabled": false,
  "editor.colorDecorators": false,
  "editor.cursorBlinking": "solid",
  "editor.folding": false,
  "editor.guides.indentation": false,
  "editor.lightbulb.enabled": "off",
  "editor.links": false,
  "editor.matchBrackets": "never",
  "editor.minimap.enabled": false,
  "editor.occurrencesHighlight": "off",
  "editor.semanticHighlighting.enabled": false,
  "editor.stickyScroll.enabled": false,
  "explorer.autoReveal": false,
  "files.autoSave": "off",
  "git.enabled": false,
  "terminal.integrated.gpuAcceleration": "off",
  "terminal.integrated.shellIntegration.decorationsEnabled": "never",
  "workbench.layoutControl.enabled": false,
  "workbench.reduceMotion": "on",
};

/** @typedef {{ title: string, state: "passed" | "failed" | "skipped", durationMs: number, error?: string }} Result */

/**
 * Runs dist/test/vscode/index.js in a real extension host on a copy of the sample workspace. The results are empty when
 * the suite did not come to its end.
 * @param {typeof import("../../scripts/lib/processes.mjs").run} run how a process of its own is run to its end
 * @returns {Promise<{ code: number, results: Result[], output: string }>}
 */
export async function runExtensionHostSuites(run) {
  const resultsDir = path.join(ROOT, "test-results/vscode");
  await rm(resultsDir, { recursive: true, force: true });
  await mkdir(resultsDir, { recursive: true });
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "nekode-suites-")));
  const workspace = path.join(folder, "sample-workspace");
  const userDataDir = path.join(folder, "data");
  await cp(path.join(ROOT, "test/fixtures/sample-workspace"), workspace, { recursive: true });
  const extensionsDir = path.join(folder, "extensions");
  await cp(
    path.join(ROOT, "test/fixtures/tool-extension"),
    path.join(extensionsDir, "nekode-test.tool-extension-1.0.0"),
    { recursive: true },
  );
  await mkdir(path.join(userDataDir, "User"), { recursive: true });
  await writeFile(path.join(userDataDir, "User/settings.json"), JSON.stringify(QUIET));
  const resultsFile = path.join(resultsDir, "results.json");
  const job = {
    vscodeExecutablePath:
      process.env.NEKODE_VSCODE ?? fileURLToPath(new URL("./launcher.mjs", import.meta.url)),
    extensionDevelopmentPath: ROOT,
    extensionTestsPath: path.join(ROOT, "dist/test/vscode/index.js"),
    launchArgs: [workspace, `--user-data-dir=${userDataDir}`, `--extensions-dir=${extensionsDir}`],
    extensionTestsEnv: {
      NEKODE_TEST_RESULTS: resultsFile,
      NEKODE_RESULTS_DIR: resultsDir,
      NEKODE_DATA_DIR: path.join(userDataDir, "nekode"),
    },
  };
  // runTests prints to this process's output; a process of its own lets us keep that.
  const script =
    'import { runTests } from "@vscode/test-electron"; await runTests(JSON.parse(process.argv[1]));';
  const { code, output } = await run(
    process.execPath,
    ["--input-type=module", "-e", script, JSON.stringify(job)],
    {
      cwd: ROOT,
      anyExit: true,
      timeoutMs: TIMEOUT_MS + 60_000,
    },
  );
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  /** @type {Result[]} */
  const results = JSON.parse(await readFile(resultsFile, "utf8").catch(() => "[]"));
  return { code, results, output };
}
