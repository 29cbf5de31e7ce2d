/** How a process is given what the sandbox's engine reads. */
import type { ChildProcess } from "node:child_process";
import { Writable } from "node:stream";
import { type Enclosure, FIRST_INPUT } from "./file-rules.ts";

/** The descriptors from 3 on: `own`, and those from which the sandbox's engine reads. */
export function enclosedStdio(
  enclosure: Enclosure | undefined,
  own: ("ignore" | "pipe")[],
): ("ignore" | "pipe")[] {
  return [...own, ...(enclosure?.inputs ?? []).map(() => "pipe" as const)];
}

export function tellEngine(child: ChildProcess, enclosure: Enclosure | undefined): void {
  for (const [at, input] of (enclosure?.inputs ?? []).entries()) {
    const stream = child.stdio.at(FIRST_INPUT + at);
    if (!(stream instanceof Writable)) throw new Error("the sandbox's engine has nothing to read from");
    // An engine that ends at once says why in its output.
    stream.on("error", () => {});
    stream.end(input);
  }
}
