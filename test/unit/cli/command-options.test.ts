/** What --approve accepts, and what the help tells of it. */
import { expect, it } from "vitest";
import { readOptions } from "../../../src/cli/command-options.ts";
import { USAGE } from "../../../src/cli/usage.ts";

const approvalOf = (list: string) => readOptions(["--approve", list], {}, "/project").settings.approval;

it("accepts and advertises every approval", () => {
  expect(approvalOf("read,web,mcp")).toMatchObject({ read: true, web: true, mcp: true, edit: false });
  expect(approvalOf("read")).toMatchObject({ web: false, mcp: false });
  expect(USAGE).toMatch(/read,edit,command-safe,command,web,mcp,/);
});

it("names what can be approved where something else is given", () => {
  expect(() => approvalOf("reed")).toThrow("read, edit, command-safe, command, web, mcp, all or none");
});
