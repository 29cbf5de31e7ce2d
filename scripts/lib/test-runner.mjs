// Runs test files on request, in a process that keeps what it has read: the process that started it sends requests.
import path from "node:path";
import { createVitest } from "vitest/node";

/**
 * @typedef {object} TestRequest
 * @property {string[]} files relative to this process's folder
 * @property {boolean} firstOnly whether the run ends with the first failure
 * @property {string[]} changed files that changed since the last request
 *
 * @typedef {object} TestAnswer
 * @property {string} [failed] file and title of the first test that failed
 * @property {string} [broken] what failed outside any test
 * @property {string[]} ran the test files that ran
 */

const [project = ""] = process.argv.slice(2);
const root = process.cwd();
/** @type {string | undefined} */
let failed;
let firstOnly = false;

/** @param {string} file */
const name = (file) => path.relative(root, file).split(path.sep).join("/");

const vitest = await createVitest(
  "test",
  {
    ...{ root, watch: false, project: [project] },
    reporters: [
      {
        onTestCaseResult(test) {
          const { state, errors = [] } = test.result();
          if (state !== "failed" || failed !== undefined) return;
          failed = `${name(test.module.moduleId)}: ${test.fullName}`;
          // Waiting for it here would wait for this very report.
          if (firstOnly) void vitest.cancelCurrentRun("test-failure");
          else process.stdout.write(`${failed}\n${errors.map(({ message }) => message).join("\n")}\n`);
        },
      },
    ],
  },
  {},
);

/** @param {TestRequest} request @returns {Promise<TestAnswer>} */
async function answer(request) {
  ({ firstOnly } = request);
  failed = undefined;
  for (const file of request.changed) vitest.invalidateFile(path.join(root, file));
  const specifications = await vitest.globTestSpecifications(request.files);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  const ran = testModules.map(({ moduleId }) => name(moduleId));
  if (failed !== undefined) return { failed, ran };
  // An error of a hook or of a file that cannot be loaded.
  const errors = [
    ...testModules.flatMap((module) => [
      ...module.errors(),
      ...[...module.children.allSuites()].flatMap((suite) => suite.errors()),
    ]),
    ...unhandledErrors,
  ].map((error) =>
    error instanceof Error || (typeof error === "object" && error && "message" in error)
      ? `${error.message}`
      : `${error}`,
  );
  return errors.length > 0 ? { broken: errors.join("\n"), ran } : { ran };
}

process.on("message", (/** @type {TestRequest} */ request) => {
  answer(request).then(
    (result) => process.send?.(result),
    (error) => process.send?.({ broken: String(error), ran: [] }),
  );
});
process.on("disconnect", () => {
  vitest.close().then(
    () => process.exit(),
    () => process.exit(1),
  );
});
process.send?.("ready");
