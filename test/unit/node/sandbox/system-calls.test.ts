/** System calls that the sandbox refuses, and that others go on. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { SandboxPlace } from "../../../../src/core/ports/sandbox.ts";
import { Sandbox } from "../../../../src/node/sandbox/command-sandbox.ts";
import { systemCallFilter } from "../../../../src/node/sandbox/system-calls.ts";
import { createShell } from "../../../../src/node/shell/process-shell.ts";
import { hasSandbox } from "../../../support/sandbox.ts";

describe.runIf(hasSandbox && process.arch === "x64")("a command in the sandbox", () => {
  it("makes no connection to the machine's host, reads no keys of the kernel, types into no terminal, and with network has no sockets", async () => {
    const base = mkdtempSync(path.join(tmpdir(), "nekode-calls-"));
    const sandbox = new Sandbox({
      environment: process.env,
      home: base,
      own: [],
      caches: path.join(base, "caches"),
    });
    const project = mkdtempSync(path.join(base, "project-"));
    const shell = createShell({ shell: "/bin/bash", roots: () => [project], sandbox });
    onTestFinished(() => {
      shell.dispose();
      rmSync(base, { recursive: true });
    });
    const run = async (place: SandboxPlace | undefined) => {
      let output = "";
      // As 0 or the error's number: socket(AF_VSOCK), socket(AF_INET), keyctl(KEYCTL_GET_KEYRING_ID), ioctl(TIOCSTI), io_uring_setup,
      // socket(AF_UNIX), socketpair of a stream, of datagrams, and of a stream that is closed in a new program.
      const code =
        'sub e { my $n = shift; my $r = syscall($n, @_); print $r < 0 ? $!+0 : 0, " " } my $x = "x"; e(41, 40, 1, 0); e(41, 2, 1, 0); e(250, 0, -3, 0); e(16, 0, 0x5412, $x); e(425, 0, 0); my $p = "\\0" x 8; e(41, 1, 1, 0); e(53, 1, 1, 0, $p); e(53, 1, 2, 0, $p); e(53, 1, 0x80001, 0, $p)';
      await shell.run(`perl -e '${code}'`, {
        ...{ cwd: project, timeoutMs: 20_000, signal: new AbortController().signal },
        ...(place ? { sandbox: { ...place, roots: [project] } } : {}),
        onOutput: (text) => {
          output += text;
        },
      });
      return output.trim().split(" ").map(Number);
    };
    expect(await run({ profile: "work" })).toEqual([1, 0, 1, 1, 38, 0, 0, 0, 0]);
    expect(await run({ profile: "work", network: true })).toEqual([1, 0, 1, 1, 38, 1, 0, 1, 0]);
    // Outside, the same calls fail for other reasons, if at all.
    expect((await run(undefined))[4]).not.toBe(38);
  });
});

it("is not made where the numbers are not known", () => {
  expect(systemCallFilter({}, "x64")?.length).toBeGreaterThan(8 * 10);
  expect(systemCallFilter({}, "riscv64")).toBeUndefined();
});
