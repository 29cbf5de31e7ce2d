import { expect, it } from "vitest";
import { BlankPageWatch } from "../../../src/vscode/panel/blank-page.ts";
import { ManualClock } from "./manual-clock.ts";

function watched() {
  const clock = new ManualClock();
  const found = { blank: 0 };
  const watch = new BlankPageWatch(clock, () => found.blank++);
  return { clock, found, watch };
}

it("finds a page blank that is shown and sends nothing", () => {
  const { clock, found, watch } = watched();
  watch.setVisible(true);
  clock.tick();
  expect(found.blank).toBe(1);
});

it("does not while the page is hidden, after it sent something, or at the end", () => {
  const { clock, found, watch } = watched();
  watch.setVisible(true);
  watch.setVisible(false);
  clock.tick();
  watch.setVisible(true);
  watch.messageReceived();
  clock.tick();
  watch.setVisible(true);
  watch.dispose();
  clock.tick();
  expect(found.blank).toBe(0);
});

it("waits anew each time that the page is shown: it loads again then", () => {
  const { clock, found, watch } = watched();
  watch.setVisible(true);
  watch.messageReceived();
  watch.setVisible(false);
  watch.setVisible(true);
  clock.tick();
  expect(found.blank).toBe(1);
});

it("waits twice as long for each page that replaces a blank one", () => {
  const clock = new ManualClock();
  for (const replaced of [0, 1, 2]) new BlankPageWatch(clock, () => {}, replaced).setVisible(true);
  const [first = 0] = clock.delays;
  expect(clock.delays).toEqual([first, first * 2, first * 4]);
});
