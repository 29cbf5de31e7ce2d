/** Of a patch of several files, exactly what the user takes is written, all of it or nothing, and the model learns the rest. */
import { describe, expect, it } from "vitest";
import type { CallPreview } from "../../../../src/core/tools/tool.ts";
import type { ChangedFile } from "../../../../src/shared/event.ts";
import { hunksOf, withoutHunks } from "../../../../src/shared/text/hunks.ts";
import { memoryHost } from "../../../support/memory-host.ts";
import { fc } from "../../../support/property.ts";
import { rounds } from "../../../support/random.ts";
import { runTool } from "./run-tool.ts";

type Change =
  | { kind: "add"; after: string[] }
  | { kind: "delete"; before: string[] }
  | { kind: "update" | "move"; before: string[]; after: string[] };

/** Lines that differ from each other, so that a patch fits one place only; kept, replaced, removed or followed by new ones. */
const changedLines = fc
  .array(fc.constantFrom("keep", "replace", "remove", "insert"), { minLength: 1, maxLength: 9 })
  .map((what) => ({
    before: what.map((_, index) => `line ${index}`),
    after: what.flatMap((each, index) => {
      const line = `line ${index}`;
      return { keep: [line], replace: [`new ${index}`], remove: [], insert: [line, `more ${index}`] }[each];
    }),
  }));
const lines = fc.array(fc.stringMatching(/^[a-z]{1,4}$/), { minLength: 1, maxLength: 4 });
const changeOf: fc.Arbitrary<Change> = fc.oneof(
  lines.map((after) => ({ kind: "add" as const, after })),
  lines.map((before) => ({ kind: "delete" as const, before })),
  changedLines
    .filter(({ before, after }) => before.join() !== after.join())
    .map((change) => ({ kind: "update" as const, ...change })),
  changedLines.map((change) => ({ kind: "move" as const, ...change })),
);

const textOf = (all: readonly string[]) => all.map((line) => `${line}\n`).join("");
const beforeOf = (change: Change) => ("before" in change ? textOf(change.before) : "");
const afterOf = (change: Change) => ("after" in change ? textOf(change.after) : "");

function partOf(change: Change, name: string): string[] {
  if (change.kind === "add") return [`*** Add File: ${name}`, ...change.after.map((line) => `+${line}`)];
  if (change.kind === "delete") return [`*** Delete File: ${name}`];
  const move = change.kind === "move" ? [`*** Move to: moved/${name}`] : [];
  if (change.before.join() === change.after.join()) return [`*** Update File: ${name}`, ...move];
  const body: string[] = [];
  let at = 0;
  for (const { line, removed, added } of hunksOf(textOf(change.before), textOf(change.after))) {
    body.push(...change.before.slice(at, line - 1).map((text) => ` ${text}`));
    body.push(...removed.map((text) => `-${text}`), ...added.map((text) => `+${text}`));
    at = line - 1 + removed.length;
  }
  return [`*** Update File: ${name}`, ...move, ...body, ...change.before.slice(at).map((text) => ` ${text}`)];
}

const patchOf = (changes: readonly Change[]) =>
  [
    "*** Begin Patch",
    ...changes.flatMap((change, index) => partOf(change, `f${index}.txt`)),
    "*** End Patch",
  ].join("\n");

/** The files as they must be: computed from the view's indexes alone. */
function expected(changes: readonly Change[], files: readonly ChangedFile[], left: ReadonlySet<number>) {
  const result = new Map<string, string>();
  for (const [index, change] of changes.entries()) {
    const name = `f${index}.txt`;
    const { at = -1, hunks } = files[index] ?? {};
    const skipped = new Set(
      (hunks?.shown ?? []).flatMap((_, hunk) => (left.has(at + 1 + hunk) ? [hunk] : [])),
    );
    const allSkipped = skipped.size > 0 && skipped.size === hunks?.shown.length;
    const taken = !left.has(at) && !(allSkipped && change.kind !== "move");
    if (!taken) {
      if (change.kind !== "add") result.set(`/project/${name}`, beforeOf(change));
    } else if (change.kind !== "delete") {
      const place = change.kind === "move" ? `/project/moved/${name}` : `/project/${name}`;
      result.set(place, withoutHunks(beforeOf(change), afterOf(change), skipped));
    }
  }
  return result;
}

function filesOf(changes: readonly Change[]): Record<string, string> {
  const existing = changes.flatMap((change, index): [string, string][] =>
    change.kind === "add" ? [] : [[`f${index}.txt`, beforeOf(change)]],
  );
  return Object.fromEntries(existing);
}

describe("a patch of several files", () => {
  it("leaves the files with exactly the taken hunks, for any patch and any choice", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(changeOf, { minLength: 2, maxLength: 5 }),
        fc.infiniteStream(fc.boolean()),
        async (changes, coins) => {
          const [input, files] = [patchOf(changes), filesOf(changes)];
          const { invocation } = await runTool("apply_patch", { input }, { files, rejected: true });
          const shown = invocation?.view.files ?? [];
          const indexes = shown.flatMap(({ at = -1, hunks }) => [
            at,
            ...(hunks?.shown ?? []).map((_, hunk) => at + 1 + hunk),
          ]);
          // Every index once, without a gap.
          expect(indexes).toEqual(indexes.map((_, index) => index));
          const left = indexes.filter(() => coins.next().value === true);
          const { memory, output, error } = await runTool("apply_patch", { input }, { files, left });
          expect(Object.fromEntries(memory.files)).toEqual(
            Object.fromEntries(expected(changes, shown, new Set(left))),
          );
          if (output === undefined) expect(error).toContain("The user took none of the changes.");
          expect(memory.shown.size).toBe(0);
        },
      ),
      { numRuns: rounds(60, 200) },
    );
  });

  const FILES = { "a.txt": "one\ntwo\nthree\nfour\n", "b.txt": "gone\n", "c.txt": "c1\n" };
  const input = [
    "*** Begin Patch",
    "*** Update File: a.txt",
    "-one",
    "+1",
    " two",
    " three",
    "-four",
    "+4",
    "*** Delete File: b.txt",
    "*** Update File: c.txt",
    "*** Move to: d.txt",
    "-c1",
    "+C1",
    "*** End Patch",
  ].join("\n");

  it("tells the model which hunks and files it did not get", async () => {
    // The first change of a.txt, the deletion, and the content of the moved file.
    const { memory, text } = await runTool("apply_patch", { input }, { files: FILES, left: [1, 3, 5] });
    expect(Object.fromEntries(memory.files)).toEqual({
      "/project/a.txt": "one\ntwo\nthree\n4\n",
      "/project/b.txt": "gone\n",
      "/project/d.txt": "c1\n",
    });
    expect(text).toContain("The user left out this part of the patch: b.txt was not deleted.");
    expect(text).toContain("Before approving, the user changed your proposal:");
    expect(text).toContain("-1\n+one");
    expect(text).toMatch(/c\.txt was moved to d\.txt\.\s+The user left out the changes to its content:/);
    expect(text).toContain("-C1\n+c1");
  });

  it("writes nothing at all if a taken file changed meanwhile; one that is left out may change", async () => {
    const meanwhile = ({ files }: { files: Map<string, string> }) =>
      void files.set("/project/a.txt", "theirs, and longer than it was\n");
    const refused = await runTool("apply_patch", { input }, { files: FILES, left: [1], meanwhile });
    expect(refused.error).toContain("a.txt changed since the patch was proposed. Nothing was changed.");
    expect(refused.memory.files.get("/project/b.txt")).toBe("gone\n");
    const taken = await runTool("apply_patch", { input }, { files: FILES, left: [0], meanwhile });
    expect(taken.error).toBe("");
    expect(taken.memory.files.has("/project/b.txt")).toBe(false);
    expect(taken.memory.files.get("/project/a.txt")).toContain("theirs");
  });

  it("writes a file that the user edited as they made it, whatever they left out of it before", async () => {
    const memory = memoryHost({ files: FILES });
    memory.userEdits.set("/project/a.txt", "mine\n");
    const { text } = await runTool("apply_patch", { input }, { memory, left: [1, 2] });
    expect(text).toContain("Their version is what was saved.");
    expect(memory.files.get("/project/a.txt")).toBe("mine\n");
    expect(memory.files.has("/project/b.txt")).toBe(false);
  });

  it("leaves out a file that the user edited if they leave out the file", async () => {
    const memory = memoryHost({ files: FILES });
    memory.userEdits.set("/project/a.txt", "mine\n");
    const { text } = await runTool("apply_patch", { input }, { memory, left: [0] });
    expect(text).toContain("The user left out this part of the patch: a.txt was not changed.");
    expect(memory.files.get("/project/a.txt")).toBe(FILES["a.txt"]);
  });

  it("shows in its diffs what the user takes of each file", async () => {
    const shown: Record<string, string>[] = [];
    await runTool(
      "apply_patch",
      { input },
      {
        files: FILES,
        rejected: true,
        meanwhile: ({ shown: now }, preview) => {
          for (const left of [[1], [0], []]) {
            preview?.choose(left);
            shown.push(Object.fromEntries(now));
          }
        },
      },
    );
    const whole = shown.at(-1);
    expect(shown[1]).toEqual({ ...whole, "/project/a.txt": FILES["a.txt"] });
    expect(new Set(shown.map((each) => each["/project/a.txt"])).size).toBe(3);
  });

  it("removes no line from a file that does not exist, whether the new one ends with a line break or not", async () => {
    for (const content of ["a\nb", "a\nb\n"]) {
      const { invocation } = await runTool("write_to_file", { path: "new.txt", content }, { rejected: true });
      const [hunk] = invocation?.view.hunks?.shown ?? [];
      expect([hunk?.removed, hunk?.added.slice(0, 2)]).toEqual([[], ["a", "b"]]);
    }
  });

  it("of one file has a diff that follows its boxes, and stays as the user made it", async () => {
    const files = { "a.txt": "1\n2\n3\n" };
    const params = { path: "a.txt", content: "one\n2\nthree\n" };
    const chosen = await runTool("write_to_file", params, {
      files,
      left: [1],
      meanwhile({ shown }, preview) {
        preview?.choose([1]);
        expect(shown.get("/project/a.txt")).toBe("one\n2\n3\n");
        expect(preview?.edited).toEqual([]);
      },
    });
    expect(chosen.memory.files.get("/project/a.txt")).toBe("one\n2\n3\n");
    const memory = memoryHost({ files });
    memory.userEdits.set("/project/a.txt", "mine\n");
    const meanwhile = (_: unknown, preview?: CallPreview) => expect(preview?.edited).toEqual(["a.txt"]);
    await runTool("write_to_file", params, { memory, left: [0, 1], meanwhile });
    expect(memory.files.get("/project/a.txt")).toBe("mine\n");
  });
});
