/** What --approve accepts, and what the help tells of it. */
import { expect, it } from "vitest";
import { readOptions, USAGE } from "../../../src/cli/command-options.ts";

const approvalOf = (list: string) => readOptions(["--approve", list], {}, "/project").settings.approval;

it("accepts the approvals of tools to come, and does not advertise them", () => {
  expect(approvalOf("read,web,mcp")).toMatchObject({ read: true, web: true, mcp: true, edit: false });
  expect(approvalOf("read")).toMatchObject({ web: false, mcp: false });
  expect(USAGE).toMatch(/\bweb\b/);
  expect(USAGE).not.toMatch(/\bmcp\b/);
});

it("names what can be approved where something else is given", () => {
  expect(() => approvalOf("reed")).toThrow("read, edit, command-safe, command, web, all or none");
  expect(() => approvalOf("reed")).not.toThrow(/mcp/);
});
