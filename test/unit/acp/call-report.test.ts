/** What other editors show of a call, where no protocol plays a part. */
import { describe, expect, it } from "vitest";
import { callReport } from "../../../src/acp/session-call.ts";
import { reasonOf } from "../../../src/shared/reason.ts";
import type { CallRow } from "../../../src/shared/view/reducer.ts";
import { translator } from "../../../src/shared/words/task-words.ts";

describe("a command where there is a sandbox", () => {
  const row: CallRow = {
    ...{
      kind: "call",
      id: "c",
      tool: "execute_command",
      subject: "npm install",
      state: "approval",
      text: "",
    },
  };
  const said = (more: Partial<CallRow>) =>
    callReport({ ...row, ...more }, { faces: {}, root: "/project", t: translator({}), diffs: [] })
      .parts.map((part) => (part.type === "text" ? part.text : ""))
      .join();
  const approval = {
    ...{ callId: "c", access: "command" as const, reason: reasonOf("none"), command: "npm install" },
  };

  it("says that it runs outside once it is approved", () => {
    expect(said({ approval: { ...approval, outsideSandbox: true } })).toContain("Runs outside the sandbox");
    expect(said({ approval: { ...approval, network: true } })).toContain("Runs in the sandbox, with network");
    expect(said({ approval })).not.toContain("sandbox");
  });

  it("says where it runs", () => {
    const running = { state: "running" as const };
    expect(said({ ...running, sandbox: { profile: "work" } })).toBe("Runs in the sandbox, without network");
    expect(said(running)).toBe("");
  });

  it("says where it ran, and what the sandbox blocked", () => {
    const ended = { state: "done" as const };
    expect(said({ ...ended, shown: { exitCode: 0, sandbox: {} } })).toContain("Ran in the sandbox");
    expect(said({ ...ended, shown: { exitCode: 1, sandbox: { block: { kind: "network" } } } })).toContain(
      "Blocked by the sandbox: network access",
    );
    const made = { rules: ["AGENTS.md", "lib/AGENTS.md"], others: [".envrc"], more: 2 };
    const all = said({ ...ended, shown: { exitCode: 0, sandbox: { made } } });
    expect(all).toContain(
      "New files that instruct agents, not used before your next message: AGENTS.md, lib/AGENTS.md",
    );
    expect(all).toContain("New files that take effect by themselves: .envrc\n");
    expect(all).toContain("2 more such files");
    expect(said({ ...ended, shown: { exitCode: 0 } })).not.toContain("sandbox");
  });
});
