/** What `--json` writes: each line is one that the published schema describes, and the last one reports the run. */
import { expect, it } from "vitest";
import { commandScript } from "../model-server/scripts/command.ts";
import { NEKO_BEFORE, nekoScript } from "../model-server/scripts/neko.ts";
import { env, placeOfEachTest, project, reportOf, run, server } from "./json-lines-place.ts";

placeOfEachTest();

const WISH = "@/neko.txt 猫を犬にしてください";

it("a task that is done: its answer, its files and what it took", async () => {
  const report = await run(nekoScript(), "--approve", "read,edit", "--report", "report.json", WISH);
  expect(report).toMatchObject({
    ...{ status: "done", exit: 0, requests: 2, checks: [], cost: null },
    files: [{ path: "neko.txt", kind: "changed" }],
  });
  expect(report.answer).not.toBe("");
  expect(report.session).toMatch(/^[\w-]{20,}$/);
  expect(report.tokens.input).toBeGreaterThan(report.tokens.output);
  expect(JSON.parse(await project.read("report.json"))).toEqual(report);
  expect(
    await run(nekoScript(), "--approve", "read,edit", "--resume", report.session ?? "", "もう一度"),
  ).toMatchObject({
    session: report.session,
    // Of this run alone.
    files: [],
  });
});

it("files that were added and deleted, and commands with their exit codes", async () => {
  const command = "mv neko.txt inu.txt; exit 3";
  expect(await run(commandScript({ command }), "--permission", "all", "run it")).toMatchObject({
    status: "done",
    checks: [{ command, exit: 3 }],
  });
  const write = { tool: "write_to_file", params: { path: "new/one.txt", content: "one\n" } };
  const done = { tool: "attempt_completion", params: { result: "Done." } };
  const turns = [
    { answer: [write] },
    { answer: [{ tool: "delete_file", params: { path: "inu.txt" } }] },
    { answer: [done] },
  ];
  expect(await run({ turns }, "--permission", "all", "write it")).toMatchObject({
    answer: "Done.",
    files: [
      { path: "inu.txt", kind: "deleted" },
      { path: "new/one.txt", kind: "added" },
    ],
  });
});

it("an approval that nobody can give is named, and again when the session is resumed", async () => {
  const paused = await run(nekoScript(), WISH);
  expect(paused).toMatchObject({
    ...{ status: "needs-approval", exit: 4, files: [] },
    approval: { tool: "replace_in_file", subject: "neko.txt" },
  });
  expect(await project.read("neko.txt")).toBe(`${NEKO_BEFORE}\n`);
  const { session, approval } = paused;
  const { code, stdout } = await project.run(["--json", "--resume", session ?? ""], env);
  expect(code).toBe(4);
  expect(reportOf(stdout).approval).toEqual(approval);
});

it("a command that waited when the run began is named once it has run", async () => {
  const command = "echo waited; exit 3";
  const { session, approval } = await run(commandScript({ command }), "run it");
  expect(approval).toMatchObject({ subject: command });
  const { code, stdout } = await project.run(["--json", "--approve", "all", "--resume", session ?? ""], env);
  expect(code).toBe(0);
  expect(reportOf(stdout)).toMatchObject({ checks: [{ command, exit: 3 }] });
});

it("a limit, an error of the endpoint, and a signal", async () => {
  expect(await run(nekoScript(), "--approve", "read,edit", "--max-requests", "1", WISH)).toMatchObject({
    ...{ status: "limit", exit: 3, requests: 1 },
  });
  env.NEKODE_API_KEY = "";
  const failed = await run({ turns: [{ fault: { kind: "status", status: 401, message: "no" } }] }, "hello");
  expect(failed).toMatchObject({ status: "failed", exit: 1, error: { code: expect.stringMatching(/key/) } });
  expect(failed.error?.text).not.toBe("");

  env.NEKODE_API_KEY = "sk-secret";
  server.setScript({ turns: [{ answer: [{ text: "One" }, { hold: "one" }] }] });
  const { signals, ended } = project.begin(["--json", "wait"], env);
  await server.waitForHold("one");
  signals.emit("SIGTERM");
  const { code, stdout } = await ended;
  expect(code).toBe(130);
  expect(reportOf(stdout)).toMatchObject({ status: "stopped", exit: 130 });
});

it("files of a message count, whatever the messages around it changed", async () => {
  const write = { tool: "write_to_file", params: { path: "a.txt", content: "a\n" } };
  server.setScript({
    turns: [{ answer: [{ text: "Hello there." }] }, { answer: [write] }, { answer: [{ text: "Wrote it." }] }],
  });
  const { code, stdout } = await project.converse(["--approve", "all", "--report", "report.json"], env, [
    ["> ", "hello\r"],
    ["Hello there.", ""],
    ["> ", "write\r"],
    ["Wrote it.", ""],
    ["> ", "\u0004"],
  ]);
  expect(code).toBe(0);
  expect(stdout).not.toContain("not known");
  expect(JSON.parse(await project.read("report.json"))).toMatchObject({
    files: [{ path: "a.txt", kind: "added" }],
  });
});

it("a report that cannot be written fails the run, which is reported once", async () => {
  const report = await run(nekoScript(), "--approve", "read,edit", "--report", "no/such/report.json", WISH);
  expect(report).toMatchObject({ status: "failed", exit: 1, error: { code: "unexpected" } });
  expect(report.files).toEqual([{ path: "neko.txt", kind: "changed" }]);
});

it("a question that nobody answers does not name a call that words rejected", async () => {
  const { session, approval } = await run(nekoScript(), WISH);
  expect(approval).toBeDefined();
  const asks = { turns: [{ answer: [{ tool: "ask_followup_question", params: { question: "Which?" } }] }] };
  const report = await run(asks, "--resume", session ?? "", "Use another name");
  expect(report).toMatchObject({ status: "needs-approval", exit: 4 });
  expect(report.approval).toBeUndefined();
});

it("a conversation that is left before its first message has a report", async () => {
  const { code } = await project.converse(["--json", "--report", "report.json"], env, [["> ", "\u0004"]]);
  expect(code).toBe(0);
  expect(JSON.parse(await project.read("report.json"))).toMatchObject({
    ...{ status: "done", exit: 0, session: null, requests: 0 },
  });
});
