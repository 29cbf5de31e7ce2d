/** Which options `nekode acp` accepts. */
import { describe, expect, it } from "vitest";
import { ACP_USAGE, acpOptions } from "../../../src/cli/acp-options.ts";
import { readOptions } from "../../../src/cli/command-options.ts";

const read = (...args: string[]) => acpOptions(readOptions(args, {}, "/project"));

describe("nekode acp", () => {
  it("takes the options that give defaults to sessions", () => {
    const { settings, mode, takeOver } = read(
      ...["--base-url", "http://localhost:1/v1", "--model", "m", "--mode", "plan", "--permission", "edits"],
      "--take-over",
    );
    expect(settings.provider).toMatchObject({ baseUrl: "http://localhost:1/v1", model: "m" });
    expect(settings.approval).toMatchObject({ edit: true, commandAll: false });
    expect({ mode, takeOver }).toEqual({ mode: "plan", takeOver: true });
  });

  it.each([
    [["do it"], "a TASK"],
    [["--json"], "--json"],
    [["--report", "x"], "--report"],
    [["--continue"], "--resume or --continue"],
    [["--resume", "x"], "--resume or --continue"],
    [["--timeout", "3"], "--timeout"],
    [["--list"], "--list"],
    [["--delete", "x"], "--delete"],
  ])("refuses %j, which an editor decides", (args, named) => {
    expect(() => read(...args)).toThrow(`nekode acp does not accept ${named}; see nekode acp --help`);
  });

  it("has help that names each option that it takes", () => {
    for (const option of [
      "--model",
      "--agent",
      "--permission",
      "--take-over",
      "--setup",
      "--data-dir",
      "--config-dir",
    ])
      expect(ACP_USAGE).toContain(option);
  });
});
