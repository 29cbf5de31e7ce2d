import { describe, expect, it } from "vitest";
import { type DecisionInput, decide, type JudgedPath } from "../../../../src/core/safety/policy.ts";
import { reasonOf } from "../../../../src/shared/reason.ts";

type ApprovalSettings = DecisionInput["settings"];
const OFF: ApprovalSettings = {
  read: false,
  readOutside: false,
  edit: false,
  editOutside: false,
  commandRead: false,
  commandSafe: false,
  commandAll: false,
  ignoreRequiresApproval: false,
  web: false,
  mcp: false,
};
const ALL: ApprovalSettings = {
  read: true,
  readOutside: true,
  edit: true,
  editOutside: true,
  commandRead: true,
  commandSafe: true,
  commandAll: true,
  ignoreRequiresApproval: true,
  web: true,
  mcp: true,
};
const inside: JudgedPath = { verdict: "allow", reason: reasonOf("inside-project"), inside: true };
const outside: JudgedPath = { verdict: "ask", reason: reasonOf("outside-project", "/x"), inside: false };
const guarded: JudgedPath = {
  verdict: "ask",
  reason: reasonOf("git-hook"),
  inside: true,
  guard: "protected",
};
const refused: JudgedPath = {
  verdict: "deny",
  reason: reasonOf("ignored-file"),
  inside: true,
  guard: "ignored",
};

const of = (access: DecisionInput["access"], settings: ApprovalSettings, more: Partial<DecisionInput> = {}) =>
  decide({ access, mode: "act", settings, ...more }).decision;

describe("decide", () => {
  it("asks for everything while nothing is on, but talk", () => {
    for (const access of ["read", "edit", "command", "web", "mcp"] as const) {
      expect(
        of(access, OFF, { paths: [inside], command: { verdict: "allow", reason: reasonOf("none") } }),
      ).toBe("ask");
    }
    expect(of("talk", OFF)).toBe("allow");
  });

  it("lets inside and outside be set apart", () => {
    expect(of("edit", { ...OFF, edit: true }, { paths: [inside] })).toBe("allow");
    expect(of("edit", { ...OFF, edit: true }, { paths: [inside, outside] })).toBe("ask");
    expect(of("edit", { ...OFF, edit: true, editOutside: true }, { paths: [inside, outside] })).toBe("allow");
    expect(of("edit", { ...OFF, editOutside: true }, { paths: [outside] })).toBe("ask");
    expect(of("edit", { ...ALL, edit: false }, { paths: [inside] })).toBe("ask");
  });

  it("asks for protected files and refuses ignored ones, whatever is on", () => {
    expect(of("edit", ALL, { paths: [guarded] })).toBe("ask");
    expect(of("read", ALL, { paths: [inside, guarded] })).toBe("ask");
    expect(of("edit", ALL, { paths: [{ ...guarded, inside: false }] })).toBe("ask");
    expect(of("read", ALL, { paths: [{ ...guarded, inside: false, guard: "secret" }] })).toBe("ask");
    expect(of("read", ALL, { paths: [refused] })).toBe("deny");
    expect(of("edit", ALL, { paths: [guarded, refused] })).toBe("deny");
  });

  it("runs judged commands, all commands, and never denied ones", () => {
    const safe = { ...OFF, commandSafe: true };
    expect(of("command", safe, { command: { verdict: "allow", reason: reasonOf("none") } })).toBe("allow");
    expect(of("command", safe, { command: { verdict: "ask", reason: reasonOf("none") } })).toBe("ask");
    expect(of("command", ALL, { command: { verdict: "ask", reason: reasonOf("none") } })).toBe("allow");
    expect(of("command", ALL, { command: { verdict: "deny", reason: reasonOf("none") } })).toBe("deny");
    expect(of("command", ALL)).toBe("ask");
  });

  it("asks for what the model marks, unless the setting overrides the mark", () => {
    const marked = { verdict: "allow" as const, reason: reasonOf("none"), requiresApproval: true };
    const plain = { ...marked, requiresApproval: false };
    for (const settings of [
      { ...OFF, commandSafe: true },
      { ...ALL, ignoreRequiresApproval: false },
    ]) {
      expect(of("command", settings, { command: marked })).toBe("ask");
      expect(of("command", settings, { command: plain })).toBe("allow");
      expect(of("command", { ...settings, ignoreRequiresApproval: true }, { command: marked })).toBe("allow");
    }
    // The mark and the setting only add a question or take that one away.
    const overriding = { ...OFF, ignoreRequiresApproval: true };
    expect(of("command", overriding, { command: marked })).toBe("ask");
    expect(of("command", ALL, { command: { ...marked, verdict: "deny" } })).toBe("deny");
  });

  it("changes nothing in plan mode, and asks for the web there", () => {
    for (const access of ["edit", "command", "mcp"] as const)
      expect(
        of(access, ALL, {
          mode: "plan",
          paths: [inside],
          command: { verdict: "allow", reason: reasonOf("none") },
        }),
      ).toBe("deny");
    expect(of("web", ALL, { mode: "plan" })).toBe("ask");
    expect(of("read", ALL, { mode: "plan", paths: [inside] })).toBe("allow");
  });
});

describe("a command where there is a sandbox", () => {
  const sandbox = { isThere: true, isRequired: false };
  const reads = { verdict: "allow", reason: reasonOf("inside-project") } as const;
  const builds = { verdict: "ask", reason: reasonOf("not-listed", "npm") } as const;
  const judge = (command: NonNullable<DecisionInput["command"]>, settings = {}, where = sandbox) =>
    decide({
      ...{ access: "command", mode: "act", command, sandbox: where },
      settings: { ...OFF, commandSafe: true, ...settings },
    });

  it("runs in it without asking, whatever the model says of it", () => {
    expect(judge(reads)).toMatchObject({ decision: "allow", sandbox: { profile: "work" } });
    expect(judge({ ...builds, requiresApproval: true })).toEqual({
      ...{ decision: "allow", reason: reasonOf("in-sandbox"), sandbox: { profile: "work" } },
    });
  });

  it("asks where its level asks, where it is to run outside, and where nobody can tell what it does", () => {
    expect(judge(builds, { commandSafe: false })).toMatchObject({ decision: "ask", reason: builds.reason });
    expect(judge({ ...builds, wanted: "outside" })).toEqual({
      decision: "ask",
      reason: reasonOf("outside-sandbox"),
    });
    for (const reason of [
      reasonOf("unparsed"),
      reasonOf("secret-file", ".env"),
      reasonOf("history-secret", ".env"),
      reasonOf("hidden-character", "U+202E"),
    ])
      expect(judge({ verdict: "ask", reason })).toEqual({ decision: "ask", reason });
    expect(judge({ verdict: "deny", reason: reasonOf("deny-listed", "rm") })).toMatchObject({
      decision: "deny",
    });
    // What a search may find in a folder is hidden there.
    expect(judge({ verdict: "ask", reason: reasonOf("reads-folder", ".") }).decision).toBe("allow");
  });

  it("runs outside where the user's list or their settings say so", () => {
    expect(judge({ ...reads, isListed: true, wanted: "outside" })).toEqual({
      decision: "allow",
      reason: reads.reason,
    });
    expect(judge({ ...reads, isListed: true, requiresApproval: true })).toMatchObject({ decision: "allow" });
    expect(judge({ ...builds, wanted: "network", requiresApproval: true, approved: "outside" })).toEqual({
      ...{ decision: "allow", reason: reasonOf("command-approved") },
    });
    expect(judge({ verdict: "deny", reason: reasonOf("none"), approved: "outside" }).decision).toBe("deny");
    expect(judge(builds, { commandAll: true })).toEqual({
      ...{ decision: "allow", reason: reasonOf("all-commands-approved") },
    });
  });

  it("gets the network there once the user approves that, and nothing more", () => {
    const place = { sandbox: { profile: "work", network: true } };
    const asks = { decision: "ask", reason: reasonOf("needs-network"), ...place };
    expect(judge({ ...reads, wanted: "network" })).toEqual(asks);
    expect(judge({ ...builds, wanted: "network", requiresApproval: true }, { commandSafe: false })).toEqual(
      asks,
    );
    expect(judge({ ...builds, wanted: "outside", approved: "network" })).toEqual({
      ...{ decision: "allow", reason: reasonOf("command-approved"), ...place },
    });
    // Where the network was approved and the sandbox is gone, nothing was approved.
    const none = { isThere: false, isRequired: false };
    expect(judge({ ...builds, wanted: "network", approved: "network" }, {}, none)).toEqual({
      ...{ decision: "ask", reason: reasonOf("needs-network") },
    });
  });

  it("asks without one where one is required, and is judged as ever otherwise", () => {
    const none = { isThere: false, isRequired: true };
    expect(judge(reads, {}, none)).toEqual({ decision: "ask", reason: reasonOf("sandbox-required") });
    expect(judge({ ...reads, isListed: true }, {}, none)).toMatchObject({ decision: "allow" });
    expect(judge(reads, {}, { isThere: false, isRequired: false })).toEqual({
      decision: "allow",
      reason: reads.reason,
    });
    expect(judge(builds, {}, { isThere: false, isRequired: false })).toMatchObject({ decision: "ask" });
  });
});

describe("a command that only reads, where safe commands ask", () => {
  const there = { isThere: true, isRequired: false };
  const listed = reasonOf("allow-listed", "git status");
  const reads = { verdict: "allow", reason: listed, onlyReads: true } as const;
  const judge = (
    command: Partial<NonNullable<DecisionInput["command"]>> = {},
    {
      sandbox = there,
      mode = "act" as DecisionInput["mode"],
      ...settings
    }: Partial<ApprovalSettings> & {
      sandbox?: DecisionInput["sandbox"];
      mode?: DecisionInput["mode"];
    } = {},
  ) =>
    decide({
      ...{ access: "command", mode, command: { ...reads, ...command } },
      ...(sandbox ? { sandbox } : {}),
      settings: { ...OFF, read: true, commandRead: true, ...settings },
    });
  const runs = { decision: "allow", reason: listed, sandbox: { profile: "read" } };

  it("runs where it cannot write, and where edits are approved as well", () => {
    expect(judge()).toEqual(runs);
    expect(judge({}, { edit: true })).toEqual(runs);
    expect(judge({ requiresApproval: true }, { ignoreRequiresApproval: true })).toEqual(runs);
  });

  it("runs where it can write to the project at the level of safe commands, and outside at that of all", () => {
    expect(judge({}, { commandSafe: true })).toEqual({ ...runs, sandbox: { profile: "work" } });
    const all = { decision: "allow", reason: reasonOf("all-commands-approved") };
    expect(judge({}, { commandAll: true })).toEqual(all);
    expect(judge({ isListed: true })).toEqual({ decision: "allow", reason: listed });
  });

  it("asks where something else is to be read, run or approved than the setting says", () => {
    const asks = { decision: "ask", reason: reasonOf("commands-ask") };
    expect(judge({}, { commandRead: false })).toEqual(asks);
    expect(judge({}, { read: false })).toEqual(asks);
    expect(judge({ onlyReads: false })).toEqual(asks);
    expect(judge({ wanted: "outside" })).toEqual({ decision: "ask", reason: reasonOf("outside-sandbox") });
    expect(judge({ requiresApproval: true })).toEqual({
      decision: "ask",
      reason: reasonOf("requires-approval"),
    });
    expect(judge({}, { mode: "plan" })).toMatchObject({ decision: "deny" });
  });

  it.each([
    ["none", { isThere: false, isRequired: false }],
    ["none, and one is required", { isThere: false, isRequired: true }],
  ])("asks without a sandbox: %s", (_, sandbox) => {
    const asks = { decision: "ask", reason: reasonOf("reads-without-sandbox") };
    expect(judge({}, { sandbox })).toEqual(asks);
    // A sandbox would not help here.
    expect(judge({ onlyReads: false }, { sandbox })).toEqual({ ...asks, reason: reasonOf("commands-ask") });
  });
});
