/** The summary in a model's answer. */
import { expect, it } from "vitest";
import { readSummary } from "../../../../src/core/window/condense.ts";

it.each([
  ["the answer", "## Task\nCats.", "## Task\nCats."],
  ["what is in its tag", "Here it is:\n<summary>\nCats.\n</summary>\nDone.", "Cats."],
  ["what a call of condense has", "<condense>\n<context>Cats.</context>\n</condense>", "Cats."],
  ["without what was thought before", "<think>\nDogs?\n</think>\nCats.", "Cats."],
  ["without what was thought, in either form", "<thinking>Dogs?</thinking>Cats.<think>No.</think>", "Cats."],
  ["not what was only thought of as one", "<think><summary>Dogs.</summary></think>Cats.", "Cats."],
  ["none where the task was continued instead", "<read_file>\n<path>a.txt</path>\n</read_file>", ""],
  ["none where there is none", "  \n", ""],
])("is %s", (_, answer, summary) => {
  expect(readSummary(answer)).toBe(summary);
});
