/** What --approve accepts, and what the help tells of it. */
import { expect, it } from "vitest";
import { readOptions } from "../../../src/cli/command-options.ts";
import { USAGE } from "../../../src/cli/usage.ts";

const approvalOf = (list: string) => readOptions(["--approve", list], {}, "/project").settings.approval;

it("accepts and advertises every approval", () => {
  expect(approvalOf("read,web,mcp")).toMatchObject({ read: true, web: true, mcp: true, edit: false });
  expect(approvalOf("read")).toMatchObject({ web: false, mcp: false });
  expect(USAGE).toMatch(/read,edit,command-read,command-safe,command,web,mcp,/);
});

it("approves what is named and nothing beside it", () => {
  const none = { read: false, readOutside: false, edit: false, editOutside: false, web: false, mcp: false };
  const noCommands = {
    commandRead: false,
    commandSafe: false,
    commandAll: false,
    ignoreRequiresApproval: false,
  };
  const all = { commandRead: true, commandSafe: true, commandAll: true, ignoreRequiresApproval: true };
  expect(approvalOf("none")).toMatchObject({ ...none, ...noCommands });
  expect(approvalOf("read")).toMatchObject({ ...none, ...noCommands, read: true });
  expect(approvalOf("edit")).toMatchObject({ ...none, ...noCommands, edit: true });
  expect(approvalOf("command-read")).toMatchObject({ ...none, ...noCommands, commandRead: true });
  const safe = { commandRead: true, commandSafe: true };
  expect(approvalOf("command-safe")).toMatchObject({ ...none, ...noCommands, ...safe });
  expect(approvalOf("command")).toMatchObject({ ...none, ...all });
  expect(approvalOf("all")).toMatchObject({
    ...{ ...all, read: true, readOutside: true, edit: true, editOutside: true, web: true, mcp: true },
  });
});

it("names what can be approved where something else is given", () => {
  expect(() => approvalOf("reed")).toThrow(
    "read, edit, command-read, command-safe, command, web, mcp, all or none",
  );
});

it("takes the agent of the session, in place of a mode", () => {
  expect(readOptions(["--agent", "review"], {}, "/project")).toMatchObject({
    agent: "review",
    mode: undefined,
  });
  expect(() => readOptions(["--agent", "review", "--mode", "plan"], {}, "/project")).toThrow(
    "--agent and --mode cannot be used together",
  );
});
