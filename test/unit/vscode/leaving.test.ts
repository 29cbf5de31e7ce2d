/** Queued words of a task that is left, and an unfinished task that is not. */
import { expect, it } from "vitest";
import { leaving, type UnsentMessage } from "../../../src/vscode/panel/leaving.ts";

const IMAGE = { mimeType: "image/png", data: "aGVsbG8=" };

it("gives back what waited when the task was left, and nothing when it was not", async () => {
  const queue = {
    waiting: [
      { text: "first", images: [IMAGE] },
      { text: " ", images: [] },
      { text: "第二", images: [IMAGE] },
    ],
  };
  const view = { active: { chatView: { status: "idle" as const }, queue } };
  const given: UnsentMessage[] = [];
  const give = (unsent: UnsentMessage) => void given.push(unsent);
  // It is open elsewhere, so this one stays on show.
  expect(await leaving(view, async () => "elsewhere", { stop: false, give })).toBe("elsewhere");
  expect(given).toEqual([]);
  const leave = async () => {
    queue.waiting = [];
  };
  await leaving(view, leave, { stop: false, give });
  expect(given).toEqual([{ text: "first\n\n第二", images: [IMAGE, IMAGE] }]);
  await leaving(view, leave, { stop: false, give });
  expect(given).toHaveLength(1);
});

it("stops an unfinished task only with the user's consent", async () => {
  for (const status of ["waiting", "streaming", "running", "approval", "retrying"] as const) {
    const view = { active: { chatView: { status }, queue: { waiting: [] } } };
    let left = 0;
    const leave = async () => ++left;
    expect(await leaving(view, leave, { stop: undefined, give: () => {} })).toEqual({ working: true });
    expect(left).toBe(0);
    expect(await leaving(view, leave, { stop: true, give: () => {} })).toBe(1);
  }
});
