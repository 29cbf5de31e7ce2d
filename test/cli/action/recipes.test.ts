/** The workflows in docs/github-action.md: what they must never do, and what they do with text that somebody hostile wrote. */
import { describe, expect, it } from "vitest";
import {
  HOSTILE,
  issue,
  issueText,
  page,
  placeOfEachTest,
  pullRequest,
  repository,
  review,
  run,
  server,
  triage,
  workflows,
} from "./recipes-place.ts";
import { readAction } from "./runner.ts";

placeOfEachTest();

describe.each([
  ["review", review],
  ["triage", triage],
] as const)("the recipe for %s", (_, workflow) => {
  const jobs = Object.values(workflow?.jobs ?? {});

  it("begins only where a stranger's branch has no secrets", () => {
    expect(Object.keys(workflow?.on ?? {})).toEqual([expect.stringMatching(/^(?:pull_request|issues)$/)]);
  });

  it("has no expression in a script", () => {
    const scripts = jobs.flatMap(({ steps }) => steps.flatMap(({ run: script }) => script ?? []));
    expect(scripts.length).toBeGreaterThan(0);
    for (const script of scripts) expect(script).not.toContain("${{");
  });

  it("gives the job with the model reading alone, and the key to no other", () => {
    expect(workflow?.permissions).toEqual({});
    for (const { permissions, steps } of jobs) {
      const agent = steps.find(({ uses = "" }) => uses.startsWith("OWNER/nekode@"));
      if (!agent) {
        expect(JSON.stringify(steps)).not.toContain("secrets.");
        continue;
      }
      expect(permissions).toEqual({ contents: "read" });
      expect(JSON.stringify(steps)).not.toContain("github.token");
      // A review only reads.
      if (agent.with.review === undefined) expect(agent.with.mode).toBe("plan");
      // Mentions and commands apply in a task.
      expect(agent.with.task ?? "").not.toContain("${{");
      const checkout = steps.find(({ uses = "" }) => uses.startsWith("actions/checkout@"));
      expect(checkout?.with["persist-credentials"]).toBe("false");
    }
  });
});

it("the page names every input and output of the action", async () => {
  expect(workflows).toHaveLength(2);
  const { inputs, outputs } = await readAction(repository);
  for (const name of [...Object.keys(inputs), ...Object.keys(outputs)]) expect(page).toContain(`\`${name}`);
});

describe("a pull request", () => {
  it("of a fork is not", async () => {
    const { jobs, calls } = await run(review, pullRequest("0", "stranger/project"));
    expect(jobs).toMatchObject({ review: { outcome: "skipped" }, comment: { outcome: "skipped" } });
    expect([calls, server.requests]).toEqual([[], []]);
  });
});

describe("an issue", () => {
  it("gets a label and a comment; its text is data everywhere", async () => {
    const output = { label: "bug", comment: `See a.txt. ${HOSTILE}` };
    server.setScript({
      turns: [{ answer: [{ tool: "plan_mode_respond", params: { response: "A bug.", output } }] }],
    });
    const { jobs, calls } = await run(triage, issue);
    expect(jobs).toMatchObject({ triage: { outcome: "success" }, label: { outcome: "success" } });
    expect(calls).toEqual([
      ["of-the-job", "issue edit 9 --add-label bug", ""],
      ["of-the-job", "issue comment 9 --body-file -", output.comment],
    ]);
    const sent = JSON.stringify(server.requests[0]?.body);
    expect(sent).toContain(JSON.stringify(`${HOSTILE}\n\n${issueText}`).slice(1, -1));
    expect(sent).not.toContain("text that no request contains");
  });
});
