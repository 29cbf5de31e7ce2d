/** The faults that `npm run mutate` applies: each still fits the source that it changes, and none of a property is missing. */
import { beforeAll, expect, it } from "vitest";
import { gaps, loadMutations, wrongEntries } from "../../scripts/lib/mutation-list.mjs";

type Mutations = Awaited<ReturnType<typeof loadMutations>>;

let mutations: Mutations;

beforeAll(async () => {
  mutations = await loadMutations();
});

it("each changes one place of its file and names tests that exist", () => {
  expect(wrongEntries(mutations)).toEqual([]);
});

it("there are some for every property and every room", () => {
  expect(gaps(mutations)).toEqual([]);
  expect(gaps(mutations.filter(({ property }) => property !== 7))).toEqual([
    expect.stringContaining("property 7"),
  ]);
});
