/** Where the hunks of a turn are while the user edits, and what a file is without one of them. */
import { describe, expect, it } from "vitest";
import {
  type DocumentChange,
  hunkAt,
  hunksBetween,
  hunksWithout,
  type LineHunk,
  MAX_HUNKS,
  movedHunks,
  placedHunks,
  withoutHunk,
} from "../../../src/vscode/review/line-hunks.ts";
import { Random } from "../../support/random.ts";

const was = "a\nb\nc\nd\ne\nf\ng\nh\n";
/** Line 2 is another one, line 5 is gone, two lines are new after the last one. */
const left = "a\nB\nc\nd\nf\ng\nh\ni\nj\n";

/** A change as VS Code reports it: `start` and `end` as "line:character", from 0. */
const change = (start: string, end: string, text: string): DocumentChange => {
  const place = (name: string) => {
    const [line = 0, character = 0] = name.split(":").map(Number);
    return { line, character };
  };
  return { start: place(start), end: place(end), text };
};
const places = (hunks: readonly LineHunk[]) => hunks.map(({ at, after }) => [at, after.count]);
const placesAfter = (...changes: DocumentChange[]) => places(movedHunks(hunksBetween(was, left), changes));

describe("the hunks of a turn", () => {
  it("are the lines that it changed, removed and added", () => {
    expect(places(hunksBetween(was, left))).toEqual([
      [1, 1],
      [4, 0],
      [7, 2],
    ]);
    expect(places(hunksBetween("", "x\ny\n"))).toEqual([[0, 2]]);
    expect(hunksBetween(was, was)).toEqual([]);
  });

  it("are limited in number", () => {
    const lines = Array.from({ length: MAX_HUNKS * 4 }, (_, line) => `${line}\n`);
    const changed = lines.map((line, index) => (index % 2 === 0 ? line : `changed ${line}`));
    expect(hunksBetween(lines.join(""), changed.join(""))).toHaveLength(MAX_HUNKS);
  });

  it("move with changes above them, and stay with changes below", () => {
    expect(placesAfter(change("0:0", "0:0", "new\n"))).toEqual([
      [2, 1],
      [5, 0],
      [8, 2],
    ]);
    expect(placesAfter(change("0:1", "0:1", "\n"))).toEqual([
      [2, 1],
      [5, 0],
      [8, 2],
    ]);
    expect(placesAfter(change("2:0", "3:0", ""))).toEqual([
      [1, 1],
      [3, 0],
      [6, 2],
    ]);
    expect(placesAfter(change("9:0", "9:0", "more"))).toEqual(places(hunksBetween(was, left)));
    // Several at once, whose positions are those before all of them.
    expect(placesAfter(change("0:0", "0:0", "x\ny\n"), change("5:0", "6:0", ""))).toEqual([
      [3, 1],
      [6, 0],
      [8, 2],
    ]);
  });

  it("vanish where the user edits", () => {
    expect(placesAfter(change("1:1", "1:1", "!"))).toEqual([
      [4, 0],
      [7, 2],
    ]);
    expect(placesAfter(change("1:0", "1:0", "typed"))).toHaveLength(2);
    expect(placesAfter(change("0:1", "1:0", ""))).toHaveLength(2);
    expect(placesAfter(change("8:0", "8:1", "J"))).toHaveLength(2);
    expect(placesAfter(change("3:1", "4:0", ""))).toEqual([
      [1, 1],
      [6, 2],
    ]);
    expect(placesAfter(change("0:0", "9:0", "everything\n"))).toEqual([]);
  });

  it("are found in a document that was changed before it was shown", () => {
    const hunks = hunksBetween(was, left);
    expect(places(placedHunks(hunks, left, left.replaceAll("\n", "\r\n")))).toEqual(places(hunks));
    expect(places(placedHunks(hunks, left, `top\n${left}`))).toEqual([
      [2, 1],
      [5, 0],
      [8, 2],
    ]);
    expect(places(placedHunks(hunks, left, left.replace("B", "user")))).toEqual([
      [4, 0],
      [7, 2],
    ]);
  });

  it("are at the cursor in their lines, or beside removed ones", () => {
    const hunks = hunksBetween(was, left);
    const at = (line: number) => hunkAt(hunks, line)?.at;
    expect([0, 1, 2, 3, 4, 5, 7, 8, 9].map(at)).toEqual([
      undefined,
      1,
      undefined,
      4,
      4,
      undefined,
      7,
      7,
      undefined,
    ]);
  });
});

describe("undoing a hunk", () => {
  it("brings back its lines alone, and in any order what was there before the turn", () => {
    for (const order of [
      [0, 1, 2],
      [2, 0, 1],
      [1, 2, 0],
    ]) {
      let hunks: readonly LineHunk[] = hunksBetween(was, left);
      let text = left;
      const chosen = order.map((index) => hunks[index]?.id);
      for (const id of chosen) {
        const hunk = hunks.find((each) => each.id === id);
        if (!hunk) throw new Error("a hunk was lost");
        const next = withoutHunk(text, { ...hunk, at: hunk.after.line - 1 }, { was, left: text });
        if (next === undefined) throw new Error("it was not undone");
        text = next;
        hunks = hunksWithout(hunks, hunk);
      }
      expect(text).toBe(was);
    }
  });

  it("keeps what the user wrote elsewhere, and each line ending", () => {
    const [first, second] = hunksBetween(was, left);
    if (!first || !second) throw new Error("there are no hunks");
    const edited = `mine\r\n${left}`;
    expect(withoutHunk(edited, { ...first, at: 2 }, { was, left })).toBe(
      "mine\r\na\nb\nc\nd\nf\ng\nh\ni\nj\n",
    );
    expect(withoutHunk(left, second, { was, left })).toBe("a\nB\nc\nd\ne\nf\ng\nh\ni\nj\n");
  });

  it("is refused where the file has other lines", () => {
    const [first, , last] = hunksBetween(was, left);
    if (!first || !last) throw new Error("there are no hunks");
    expect(withoutHunk(left.replace("B\n", "user\n"), first, { was, left })).toBeUndefined();
    expect(withoutHunk(left.replace("B\n", "B \n"), first, { was, left })).toBeUndefined();
    expect(withoutHunk(left.replace("j\n", "j"), last, { was, left })).toBeUndefined();
    expect(withoutHunk("a\n", last, { was, left })).toBeUndefined();
  });

  it("never takes a line that the user wrote, whatever they edit before", () => {
    const random = new Random(36);
    for (let round = 0; round < 60; round++) {
      let lines = left.split("\n").slice(0, -1);
      let hunks: readonly LineHunk[] = hunksBetween(was, left);
      for (let edit = 0; edit < 4; edit++) {
        const from = random.below(lines.length + 1);
        const removed = random.below(Math.min(3, lines.length - from + 1));
        const added = Array.from({ length: random.below(3) }, (_, index) => `user ${round} ${edit} ${index}`);
        hunks = movedHunks(hunks, [
          change(`${from}:0`, `${from + removed}:0`, added.map((line) => `${line}\n`).join("")),
        ]);
        lines = [...lines.slice(0, from), ...added, ...lines.slice(from + removed)];
      }
      const text = lines.map((line) => `${line}\n`).join("");
      const users = lines.filter((line) => line.startsWith("user"));
      for (const hunk of hunks) {
        const undone = withoutHunk(text, hunk, { was, left });
        expect(undone?.split("\n").filter((line) => line.startsWith("user"))).toEqual(users);
      }
    }
  });
});
