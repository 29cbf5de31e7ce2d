/** The todo list: when the model hears of it, and what is a list at all. */
import { describe, expect, it } from "vitest";
import {
  cleanTodo,
  handedOver,
  progress,
  type TodoState,
  todoReminder,
} from "../../../../src/core/context/focus-chain.ts";

const LIST = "- [x] One\n- [ ] Two";
const remind = (state: Partial<TodoState>) =>
  todoReminder({
    markdown: "",
    requests: 0,
    remindedAt: 0,
    first: false,
    enteredAct: false,
    planMode: false,
    edited: false,
    ...state,
  });

describe("the reminder", () => {
  it("recommends a list at the start, softly in plan mode, and not again", () => {
    expect(remind({ first: true })).toMatch(/^# TODO LIST RECOMMENDED\n/);
    expect(remind({ first: true, planMode: true })).toMatch(/^# TODO LIST OPTIONAL\n/);
    expect(remind({ requests: 25 })).toBeUndefined();
  });

  it("asks for one when the mode becomes act, and shows the one there is", () => {
    expect(remind({ enteredAct: true, requests: 3 })).toMatch(/^# TODO LIST REQUIRED\n/);
    expect(remind({ enteredAct: true, requests: 3, markdown: LIST })).toMatch(
      /^# TODO LIST \(1 of 2 done\)\n/,
    );
  });

  it.each([
    ["- [ ] One\n- [ ] Two", "No step is marked as done yet."],
    ["- [x] One\n- [ ] Two\n- [ ] Three", "continue with the next open step"],
    ["- [x] 1\n- [x] 2\n- [x] 3\n- [ ] 4", "One step remains. Finish it"],
    [`${"- [x] a\n".repeat(8)}- [ ] b\n- [ ] c`, "2 steps remain. Finish them"],
    ["- [x] One\n- [x] Two", "Every step is done."],
  ])("says what suits the progress of %j", (markdown, words) => {
    const told = remind({ markdown, requests: 10 });
    expect(told).toContain(words);
    expect(told).toContain(markdown);
    expect(told?.match(/task_progress/g)).toHaveLength(1);
  });

  it("speaks of a plan to nobody: only the answer to a plan does", () => {
    for (const first of [true, false]) {
      for (const markdown of ["", LIST]) {
        expect(remind({ enteredAct: true, first, markdown })).not.toMatch(/\bplan\b/i);
      }
    }
    expect(remind({ enteredAct: true, first: true })).toMatch(/^# TODO LIST RECOMMENDED\n/);
  });

  it("comes every tenth request, once, however many messages go between two requests", () => {
    const heard: number[] = [];
    let remindedAt = 0;
    for (let requests = 0; requests <= 40; requests++) {
      for (let message = 0; message < 2; message++) {
        if (remind({ markdown: LIST, requests, remindedAt }) === undefined) continue;
        heard.push(requests);
        remindedAt = requests;
      }
    }
    expect(heard).toEqual([10, 20, 30, 40]);
  });

  it("tells what the user changed, also that they took the list away", () => {
    expect(remind({ edited: true, markdown: LIST })).toMatch(
      /CHANGED BY THE USER \(1 of 2 done\)\n- \[x\] One/,
    );
    expect(remind({ edited: true })).toContain("REMOVED BY THE USER");
  });
});

describe("cleanTodo", () => {
  it.each([
    [
      "Here is the plan:\n- [x] One\n  - [ ] Nested  \n* [X] Star\n1. [ ] Numbered\n\nThat is all.",
      "- [x] One\n  - [ ] Nested\n- [x] Star\n- [ ] Numbered",
    ],
    ["not a list at all", ""],
    ["- [] no\n- [ ]\n-[ ] no", ""],
    ["", ""],
    ["- [ ] 猫\r\n- [x] 犬\r\n", "- [ ] 猫\n- [x] 犬"],
  ])("%j", (text, cleaned) => {
    expect(cleanTodo(text)).toBe(cleaned);
  });

  it("bounds a list that never ends", () => {
    expect(cleanTodo("- [ ] item\n".repeat(10_000)).split("\n")).toHaveLength(200);
    expect(cleanTodo(`- [ ] ${"x".repeat(1_000_000)}`).length).toBeLessThan(20_100);
  });

  it("counts what is done", () => {
    expect(progress(LIST)).toEqual({ done: 1, total: 2 });
  });
});

describe("the list that a new task begins with", () => {
  const open = "- [x] One\n- [ ] Two";
  it.each([
    ["# Next\n\ntask_progress Items:\n- [ ] A\n- [ ] B\n\nMore words", open, "- [ ] A\n- [ ] B"],
    ["<task_progress>\n- [ ] A\n</task_progress>\n- [ ] not of the list", open, "- [ ] A"],
    ["task_progress Items:\n\n- [ ] A\n\n- [x] B\n# Then\n- [ ] no", open, "- [ ] A\n- [x] B"],
    ["nothing is named", open, open],
    ["task_progress is empty", open, open],
    ["nothing is named", "- [x] One", ""],
    ["nothing is named", "", ""],
  ])("%j", (context, current, list) => {
    expect(handedOver(context, current)).toBe(list);
  });
});
