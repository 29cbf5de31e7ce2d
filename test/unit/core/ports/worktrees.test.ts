/** What the removal of a worktree would lose: the user must have seen each of these. */
import { expect, it } from "vitest";
import { lossesOf } from "../../../../src/core/ports/worktrees.ts";

it("is what is not committed, ignored files and commits on no branch, each once", () => {
  const changes = [
    { path: "committed.ts", kind: "changed", uncommitted: false },
    { path: "new.ts", kind: "added", uncommitted: true },
    { path: "nested/", kind: "added", uncommitted: true },
  ] as const;
  const state = { changes, ignored: ["notes.txt", "nested/"], commits: 2 };
  expect(lossesOf(state)).toEqual(["new.ts", "nested/", "notes.txt"]);
  expect(lossesOf({ ...state, loose: "c0ffee" })).toEqual(["new.ts", "nested/", "notes.txt", "c0ffee"]);
});

it("is nothing where everything is committed on the branch", () => {
  expect(lossesOf({ changes: [], ignored: [], commits: 3 })).toEqual([]);
});
