/** A command that the editor tells under other words than it typed is taken for the same one, with what it lost. */
import { expect, it, onTestFinished, vi } from "vitest";
import { Execution } from "../../../src/vscode/terminal/execution.ts";

const never = new Promise<never>(() => {});

function terminal() {
  const lines: string[] = [];
  const sendText = (text: string) => void lines.push(text);
  return { processId: Promise.resolve(undefined), dispose() {}, show() {}, sendText, lines };
}

/** What began in a terminal: the words that the shell tells, and the chunks that the editor passes on. */
function began(value: string, ...chunks: string[]) {
  return {
    commandLine: { value },
    async *read() {
      yield* chunks;
    },
  };
}

/** A command that was typed, and of which the editor has not told that it began. */
function typed(command: string) {
  const place = terminal();
  const pieces: string[] = [];
  const told: boolean[] = [];
  const execution = new Execution(command, place, {
    onOutput: (text) => void pieces.push(text),
    onWaits: (waits) => void told.push(waits),
  });
  // Under its own words nothing of it is passed on, nor an end.
  const silent = {
    async *read() {
      yield await never;
    },
  };
  void execution.follow(silent);
  return { execution, place, output: () => pieces.join(""), told };
}

const signal = new AbortController().signal;

it.each([
  ["all of it", ["\x1b]633;C\x07one\r\n", "two\r\n"], "one\ntwo\n"],
  [
    "not how it begins",
    ["two\r\n", "three\r\n"],
    "(the editor did not pass on how this output begins)\ntwo\nthree\n",
  ],
  ["nothing", [], "(the editor did not pass on the output of this command)\n"],
])("reads what the editor passes on: %s", async (_what, chunks, expected) => {
  const { execution, place, output } = typed("printf 'a b'  \\\n | cat");
  expect(execution.adopt(place, began("printf 'a b' | cat", ...chunks))).toBe(true);
  expect(await execution.hasBegun(signal, 1)).toBe(true);
  execution.ended(3);
  await execution.closed;
  expect(output()).toBe(expected);
  expect(execution.result().exitCode).toBe(3);
});

it("takes words that are not ASCII in whatever form the shell tells them", () => {
  const { execution, place } = typed("echo 猫");
  expect(execution.adopt(place, began("echo \xe7\x8c"))).toBe(true);
});

it.each([
  ["in another terminal", "ls -l", terminal()],
  ["with other words", "ls", undefined],
  ["without words", "", undefined],
])("leaves alone what begins %s", (_where, words, elsewhere) => {
  const { execution, place } = typed("ls -l");
  expect(execution.adopt(elsewhere ?? place, began(words))).toBe(false);
});

it.each([
  [true, true],
  [false, undefined],
])("reports that the user stopped it only if they did (%s)", async (byUser, stoppedByUser) => {
  const { execution } = typed("sleep 60");
  await execution.end({ byUser });
  expect(execution.result().stoppedByUser).toBe(stoppedByUser);
});

it("says that it waits for an answer, types the answer, and says that it no longer waits", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { execution, place, told } = typed("npm init");
  execution.adopt(place, began("npm init", "package name: "));
  await vi.advanceTimersByTimeAsync(2_000);
  expect(told).toEqual([true]);
  execution.answer("tama");
  expect(place.lines).toEqual(["tama"]);
  expect(told).toEqual([true, false]);
});

it("takes one alone", () => {
  const { execution, place } = typed("ls -l");
  expect(execution.adopt(place, began("ls  -l"))).toBe(true);
  expect(execution.adopt(place, began("ls  -l"))).toBe(false);
});
