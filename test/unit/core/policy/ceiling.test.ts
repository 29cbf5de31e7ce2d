/** A policy of the administrator is a ceiling: whatever is set, chosen or allowed below it, nothing beyond it runs unasked. */
import { describe, expect, it } from "vitest";
import {
  type AdminPolicy,
  accessUnder,
  ceilingOf,
  settingsUnder,
} from "../../../../src/core/policy/admin-policy.ts";
import { type DecisionInput, decide } from "../../../../src/core/safety/policy.ts";
import { LEVEL_ACCESS } from "../../../../src/shared/permission/levels.ts";
import { reasonOf } from "../../../../src/shared/reason.ts";
import { settingsSchema } from "../../../../src/shared/settings.ts";

const BY = "Example IT";
const policy = (more: Partial<AdminPolicy>): AdminPolicy => ({ managedBy: BY, file: "/etc/policy", ...more });
const ALL = { ...LEVEL_ACCESS.all, ignoreRequiresApproval: true };
const inside = { verdict: "allow" as const, reason: reasonOf("inside-project"), inside: true };
const outside = { verdict: "ask" as const, reason: reasonOf("outside-project", "/x"), inside: false };
const listed = { verdict: "allow" as const, reason: reasonOf("allow-listed", "rm"), isListed: true };
const sandbox = { isThere: true, isRequired: false };

/** Everything below the policy allows the call. */
const CALLS: readonly (readonly [what: string, input: Omit<DecisionInput, "mode" | "settings">])[] = [
  ["reading", { access: "read", paths: [inside] }],
  ["reading outside", { access: "read", paths: [outside] }],
  ["editing", { access: "edit", paths: [inside] }],
  ["editing outside", { access: "edit", paths: [outside] }],
  ["a listed command", { access: "command", command: listed, sandbox }],
  ["any command", { access: "command", command: { verdict: "ask", reason: reasonOf("none") }, sandbox }],
  ["code in the editor", { access: "command", runsInEditor: true }],
  ["the web", { access: "web", site: { name: "a.example", isPrivate: false } }],
  ["a granted site", { access: "web", site: { name: "a.example", isPrivate: false, standing: "granted" } }],
  [
    "an allowed tool",
    { access: "mcp", server: { always: true, reading: false, changed: false, destructive: false } },
  ],
  [
    "a tool",
    { access: "mcp", server: { always: false, reading: false, changed: false, destructive: false } },
  ],
];

const decided = (input: Omit<DecisionInput, "mode" | "settings">, under: AdminPolicy | undefined) => {
  const ceiling = ceilingOf(under);
  return decide({ ...input, mode: "act", settings: ALL, ...(ceiling ? { ceiling } : {}) });
};

describe("the permission ceiling", () => {
  it.each(CALLS)(
    "%s runs unasked without a policy, and asks under one that allows nothing",
    (_what, input) => {
      expect(decided(input, undefined).decision).toBe("allow");
      const nothing = policy({ permissions: { highest: "ask", ask: ["read", "commandRead"] } });
      expect(decided(input, nothing)).toMatchObject({
        decision: "ask",
        reason: { code: "managed-asks", values: [BY] },
      });
    },
  );

  it("of a level lets that level run, and no more", () => {
    const unasked = (under: AdminPolicy) =>
      CALLS.flatMap(([what, input]) => (decided(input, under).decision === "allow" ? [what] : []));
    expect(unasked(policy({ permissions: { highest: "ask" } }))).toEqual(["reading"]);
    expect(unasked(policy({ permissions: { highest: "edits" } }))).toEqual(["reading", "editing"]);
    expect(unasked(policy({ permissions: { highest: "safe" } }))).toEqual([
      "reading",
      "editing",
      "a listed command",
      "any command",
    ]);
    expect(unasked(policy({ permissions: { highest: "all", ask: ["web", "mcp", "commandAll"] } }))).toEqual(
      CALLS.slice(0, 6).map(([what]) => what),
    );
  });

  it("that requires the sandbox lets no command out of it unasked, whatever is listed", () => {
    for (const [, input] of CALLS.slice(4, 6)) {
      const inSandbox = decided(input, policy({ sandbox: "required" }));
      expect(inSandbox).toMatchObject({ decision: "allow", sandbox: { profile: "work" } });
      const without = { ...input, sandbox: { isThere: false, isRequired: false } };
      expect(decided(without, policy({ sandbox: "required" })).decision).toBe("ask");
    }
    expect(decided({ access: "command", runsInEditor: true }, policy({ sandbox: "required" })).decision).toBe(
      "ask",
    );
  });

  it("never turns a question or a refusal into permission", () => {
    const marked = { ...listed, isListed: false, requiresApproval: true };
    const input: DecisionInput = {
      access: "command",
      mode: "act",
      settings: { ...ALL, commandSafe: false, ignoreRequiresApproval: false },
      command: marked,
      sandbox,
    };
    const ceiling = ceilingOf(policy({ sandbox: "required" }));
    expect(decide(input).decision).toBe("ask");
    expect(decide({ ...input, ...(ceiling ? { ceiling } : {}) }).decision).toBe("ask");
    expect(decide({ ...input, mode: "plan", ...(ceiling ? { ceiling } : {}) }).decision).toBe("deny");
  });

  it("lowers the classes that a session or a user chooses", () => {
    const ceiling = ceilingOf(policy({ permissions: { highest: "edits" } }));
    expect(accessUnder(LEVEL_ACCESS.all, ceiling)).toEqual(LEVEL_ACCESS.edits);
    expect(accessUnder(LEVEL_ACCESS.ask, ceiling)).toEqual(LEVEL_ACCESS.ask);
  });
});

it("settings show what applies: the lower of two limits, and the sandbox that is required", () => {
  const set = (approval: object) => settingsSchema.parse({ approval, sandbox: "off" });
  const managed = policy({ sandbox: "required", limits: { costPerTask: 2, costPerDay: 10 } });
  const costs = (approval: object) => {
    const { approval: under, sandbox: place } = settingsUnder(set(approval), managed);
    return [under.maxCost, under.maxCostPerDay, place];
  };
  expect(costs({})).toEqual([2, 10, "required"]);
  expect(costs({ maxCost: 1, maxCostPerDay: 50 })).toEqual([1, 10, "required"]);
  expect(settingsUnder(set({ maxCost: 5 }), policy({})).approval.maxCost).toBe(5);
});
