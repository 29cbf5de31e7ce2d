/** A server that misbehaves as it is told to. */
import { readFile } from "node:fs/promises";
import { connector, fixtureServer, neverAborted, recordedEvents } from "./support.ts";

export const options = { signal: neverAborted, timeoutMs: 20_000 };

export interface Behavior {
  modern?: boolean;
  start?: "exit" | "hang" | "garbage" | "wrong" | "exit-at-probe";
  list?: "hang" | "broken" | "endless" | "heavy" | "many" | "nothing";
  stubborn?: boolean;
  pids?: string;
}

export const scripted = (behavior: Behavior = {}) => fixtureServer("scripted.mjs", JSON.stringify(behavior));

export async function failure(behavior: Behavior, timeoutMs = 20_000, more = {}): Promise<unknown> {
  const launch = { ...scripted(behavior), ...more };
  const connecting = (await connector()).connect("sample", launch, recordedEvents(), {
    signal: neverAborted,
    timeoutMs,
  });
  return connecting.catch((error: unknown) => error);
}

export async function pidsIn(file: string): Promise<number[]> {
  return (await readFile(file, "utf8")).trim().split("\n").map(Number);
}
