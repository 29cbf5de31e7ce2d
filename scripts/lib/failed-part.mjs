import { tail } from "./processes.mjs";

/** Where vitest begins to report what failed: in tests, in whole files, or outside any test. */
const REPORT = /^⎯+ (?:Failed Tests|Failed Suites|Unhandled Errors) .*⎯$/m;

/**
 * What went wrong in a run of vitest, without the list of what passed, so that the cause comes first: its report of
 * failures if there is one, limited to 200 lines, or the last 60 other lines. The suite's log has all of it.
 * @param {string} output of the default reporter, without colors
 */
export function failedPart(output) {
  const start = output.search(REPORT);
  if (start >= 0) return output.slice(start).split("\n").slice(0, 200).join("\n");
  const other = output.split("\n").filter((line) => !/^\s*✓ /.test(line));
  return tail(other.join("\n"), 60);
}
