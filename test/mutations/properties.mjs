/**
 * A small fault, as a hurried change could make it. `npm run mutate` applies one at a time to a copy of the repository
 * and runs the tests that should notice it.
 * @typedef {object} Mutation
 * @property {string} name what is wrong in a few words; unique
 * @property {string} file relative to the repository
 * @property {string} find a text that occurs exactly once in the file
 * @property {string} replace what stands there instead
 * @property {number | string} property the number of the property that breaks, or the folder of the file's room in
 *   CONTRIBUTING.md; a fault that has a number counts for the room of its file too
 * @property {string[]} tests the tests that should notice, the quickest first, each as "PROJECT FILE":
 *   "unit test/unit/core/edits/apply.test.ts"
 */

/** What must always hold, by number. @type {Readonly<Record<number, string>>} */
export const PROPERTIES = {
  1: "Only what was approved runs, exactly as it was approved",
  2: "Files change only by approved writes, each whole or not at all",
  3: "An edit changes only the lines that it names",
  4: "An edit that fits no place or several is refused",
  5: "Messages and results are on disk before the next step",
  6: "The work for a chunk is proportional to the chunk",
  7: "The host owns the state; the panel can end at any time",
  8: "Stop reaches everything and is quick",
  9: "Plan mode cannot write",
  10: "Ids are unique, and a gap in the events asks for a snapshot",
  11: "No fixed sleeps and no polling where there is an event",
  12: "Every failure is shown or answered",
  13: "Each request begins with the one before it",
  14: "The next request is always one that the API accepts",
  15: "Whatever looks like a call is run or answered",
  16: "A parent task and its subtasks stop together, and a subtask is allowed no more than its parent",
  17: "Files of the workspace raise no privileges",
  18: "What runs without a question can do no harm",
  19: "Reasoning is never run or shown as the answer",
  20: "The encoding of a file is known, or the file is refused",
};
