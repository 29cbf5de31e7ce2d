/** Waiting for what a background command prints: woken by output, by the end, by the deadline, by Stop. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { Interrupt } from "../../../src/core/errors.ts";
import { createShell } from "../../../src/node/shell/process-shell.ts";
import { neverAborted, temporaryFolder } from "./support.ts";

/** A command in the background that prints what is asked for by files: waits for go-N, then prints N. */
async function background(steps: number) {
  const folder = await temporaryFolder();
  const shell = createShell({ shell: "/bin/bash" });
  onTestFinished(() => shell.dispose());
  const script = Array.from(
    { length: steps },
    (_, n) => `until [ -e go-${n} ]; do sleep 0.02; done; echo ${n}`,
  );
  const { backgroundId = "" } = await shell.run(script.join("; "), {
    cwd: folder,
    timeoutMs: 1,
    signal: neverAborted,
    onOutput: () => undefined,
  });
  return { shell, id: backgroundId, go: (n: number) => writeFile(path.join(folder, `go-${n}`), "") };
}

describe("reading a terminal", () => {
  it("tells at once what is there, and once", async () => {
    const { shell, id } = await background(1);
    expect(await shell.readTerminal(id, 0, neverAborted)).toMatchObject({ id, running: true, newOutput: "" });
    expect(await shell.readTerminal("none", 0, neverAborted)).toBeUndefined();
  });

  it("waits for output, then for the end", async () => {
    const { shell, id, go } = await background(2);
    const first = shell.readTerminal(id, 20_000, neverAborted);
    await go(0);
    expect(await first).toMatchObject({ running: true, newOutput: "0\n" });
    const rest: string[] = [];
    await go(1);
    for (;;) {
      const told = await shell.readTerminal(id, 20_000, neverAborted);
      rest.push(told?.newOutput ?? "");
      if (told?.running !== true) {
        expect(told).toMatchObject({ running: false, exitCode: 0 });
        break;
      }
    }
    expect(rest.join("")).toBe("1\n");
    expect(await shell.readTerminal(id, 0, neverAborted)).toBeUndefined();
  });

  it("gives up at the deadline", async () => {
    const { shell, id } = await background(1);
    expect(await shell.readTerminal(id, 20, neverAborted)).toMatchObject({ running: true, newOutput: "" });
  });

  it("ends with Stop", async () => {
    const { shell, id } = await background(1);
    const controller = new AbortController();
    const reading = shell.readTerminal(id, 20_000, controller.signal);
    controller.abort();
    await expect(reading).rejects.toThrow(Interrupt);
    await expect(shell.readTerminal(id, 20_000, controller.signal)).rejects.toThrow(Interrupt);
  });
});
