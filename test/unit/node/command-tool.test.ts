/** execute_command over a real shell: what the model is told of how commands end, and of the shell that they ran in. */
import { describe, expect, it } from "vitest";
import { project } from "../../support/tools-on-disk.ts";

const command = (text: string) => ({ command: text, requires_approval: false });

describe("how a command ended", () => {
  it("is told in words where a signal did it", async () => {
    const { call } = await project();
    expect(await call("execute_command", command("kill -KILL $$"))).toMatch(
      /^Ended by the signal SIGKILL after/,
    );
    expect(await call("execute_command", command("sh -c 'kill -KILL $$'; exit $?"))).toMatch(
      /^Exit code 137 after .*: ended by the signal SIGKILL\./,
    );
    expect(await call("execute_command", command("exit 130"))).toMatch(/^Exit code 130 .* SIGINT\./);
    expect(await call("execute_command", command("exit 3"))).toMatch(
      /^Exit code 3 after \d\.\d s\.\n\(no output\)$/,
    );
  });

  it("is waited for however long, where the setting says so", async () => {
    const { call } = await project({ settings: { commands: { timeout: 0 } } });
    expect(await call("execute_command", command("sleep 0.2; echo over"))).toMatch(/^Exit code 0[\s\S]*over/);
  });

  it("is not waited for when the user wants to go on", async () => {
    const { call, host } = await project();
    const moveToBackground = new AbortController();
    const told = await call("execute_command", command("echo begun; sleep 300"), {
      moveToBackground: moveToBackground.signal,
      onOutput: () => moveToBackground.abort(),
    });
    expect(told).toMatch(/^Still running .* as terminal 1\.\nOutput:\nbegun/);
    expect(host.shell.background()).toEqual([{ id: "1", command: "echo begun; sleep 300" }]);
    await host.shell.end(["1"]);
    expect(await call("read_terminal", { id: "1" })).toMatch(/\(ended/);
  });
});

describe("a shell of the user's that cannot be used", () => {
  const withUserShell = (SHELL: string) =>
    project({ host: { environment: { PATH: process.env.PATH, SHELL } } });

  it.each([
    ["/nowhere/zsh", "does not exist"],
    ["/bin/cat", "is not one that is known here"],
  ])("%s: is named, with the one that ran and why, once", async (own, why) => {
    const { call, host } = await withUserShell(own);
    expect(host.shell.path).toBe("/bin/bash");
    const first = await call("execute_command", command("echo hello"));
    expect(first).toMatch(
      new RegExp(
        `^Exit code 0 .*\\nIt ran in /bin/bash, because the user's shell ${own} ${why}\\.\\nOutput:\\nhello`,
      ),
    );
    expect(await call("execute_command", command("echo hello"))).not.toContain(own);
  });

  it("is nothing to speak of where there is none", async () => {
    const { call } = await withUserShell("");
    expect(await call("execute_command", command("echo hello"))).toMatch(
      /^Exit code 0 after \d\.\d s\.\nOutput:/,
    );
  });
});

describe("a command that is long", () => {
  it("runs with 100 KB, and is refused with what to do instead when a system cannot take it", async () => {
    const { call } = await project();
    expect(await call("execute_command", command(`: ${"x".repeat(102_400)}; echo long`))).toMatch(/long\n$/);
    expect(await call("execute_command", command(`: ${"あ".repeat(34_000)}; echo long`))).toMatch(/long\n$/);
    const refused = await call("execute_command", command(`: ${"あ".repeat(45_000)}; echo long`));
    expect(refused).toMatch(/^refused: The command has 13\d{4} bytes, more than .* write_to_file/);
    expect(await call("execute_command", command("echo next"))).toMatch(/next\n$/);
  });
});
