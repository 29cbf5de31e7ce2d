/** The faults that `npm run mutate` applies: each still fits the source that it changes. */
import { expect, it } from "vitest";
import { loadMutations, wrongEntries } from "../../scripts/lib/mutation-list.mjs";

it("each changes one place of its file and names tests that exist", async () => {
  const mutations = await loadMutations();
  expect(mutations.length).toBeGreaterThan(0);
  expect(wrongEntries(mutations)).toEqual([]);
});
