/** Output of a command in the background: who waits for more of it hears of it at once. */
import { expect, it } from "vitest";
import { Interrupt } from "../../../src/core/errors.ts";
import { CommandOutput } from "../../../src/node/shell/command-output.ts";

const LONG = 60_000;
const never = new Promise<never>(() => {});
/** Whether the wait is over when all that is due has run. */
const isOver = (waiting: Promise<unknown>) =>
  Promise.race([
    waiting.then(() => true),
    new Promise<boolean>((resolve) => setImmediate(() => resolve(false))),
  ]);

function output(): CommandOutput {
  const made = new CommandOutput(() => undefined);
  made.keep();
  return made;
}

it("ends the wait when some comes, and not before", async () => {
  const { signal } = new AbortController();
  const command = output();
  const waiting = command.news(LONG, signal, never);
  expect(await isOver(waiting)).toBe(false);
  command.add("");
  expect(await isOver(waiting)).toBe(false);
  command.add("ready\n");
  expect(await isOver(waiting)).toBe(true);
  expect(command.take()).toBe("ready\n");
});

it("needs no wait where some is there, or none is wanted", async () => {
  const { signal } = new AbortController();
  const command = output();
  expect(await isOver(command.news(0, signal, never))).toBe(true);
  command.add("ready\n");
  expect(await isOver(command.news(LONG, signal, never))).toBe(true);
});

it("ends the wait when the command ends, and on Stop", async () => {
  const controller = new AbortController();
  expect(await isOver(output().news(LONG, controller.signal, Promise.resolve()))).toBe(true);
  const waiting = output().news(LONG, controller.signal, never);
  controller.abort();
  await expect(waiting).rejects.toThrow(Interrupt);
});
