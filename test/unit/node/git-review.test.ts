/** Reviews of real repositories with a played model: every finding is on its line, none is listed twice, and none is outside the diff. */

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod";
import type { ReviewFailure } from "../../../src/core/agent/review/review-failure.ts";
import type { Host } from "../../../src/core/ports/host.ts";
import { type OpenProject, openProject } from "../../../src/node/open-project.ts";
import { createTerminalHost } from "../../../src/node/terminal-host.ts";
import type { ReviewReport, ReviewScope } from "../../../src/shared/review.ts";
import { settingsSchema } from "../../../src/shared/settings.ts";
import type { ScriptTurn } from "../../model-server/script.ts";
import { type ModelServer, type Responder, startModelServer } from "../../model-server/server.ts";
import { SEEDED_FAULTS, type SeededFault } from "../../support/seeded-faults.ts";
import { git, repository, write } from "./git-support.ts";
import { temporaryFolder } from "./support.ts";

/** In the form of a provider's key. */
const TOKEN = `sk-${"a1b2c3".repeat(6)}`;
const assetsDir = path.dirname(createRequire(import.meta.url).resolve("sql.js/dist/sql-wasm.wasm"));

interface Reported {
  path: string;
  side?: string;
  start_line: number;
  end_line?: number;
  line_text: string;
  severity?: string;
  title?: string;
  body?: string;
  suggestion?: string;
  confidence?: number;
}

let server: ModelServer;
let opened: OpenProject;
let settings = settingsSchema.parse({});

const usage = { promptTokens: 100, completionTokens: 10, cost: 0.25 };
const reports = (findings: readonly Reported[]): ScriptTurn => ({
  usage,
  answer: [
    {
      nativeTool: {
        name: "report_findings",
        params: {
          findings: findings.map((finding) => ({
            ...{ severity: "important", title: "It is wrong", body: `Because of ${finding.line_text}.` },
            ...{ confidence: 0.9 },
            ...finding,
          })),
        },
      },
    },
  ],
});

/** Confirms each finding, but those with these numbers. */
const verdicts = (text: string, ...refuted: number[]): ScriptTurn => ({
  usage,
  answer: [
    {
      nativeTool: {
        name: "report_verdicts",
        params: {
          verdicts: [...text.matchAll(/^(\d+)\. (?:Removed )?lines? /gm)].map(([, number]) => ({
            ...{ finding: Number(number), holds: !refuted.includes(Number(number)), reason: "Read it." },
          })),
        },
      },
    },
  ],
});

const isCheck = (tools: readonly string[]) => tools.includes("report_verdicts");

/** Answers the first request of each part with these findings, and confirms all. */
const finds =
  (findings: readonly Reported[]): Responder =>
  ({ tools, firstUser }) =>
    isCheck(tools) ? verdicts(firstUser) : reports(findings);

async function start(
  root: string,
  script: Responder,
  approval = {},
  more = {},
  others: Record<string, string> = {},
): Promise<void> {
  server = await startModelServer({ script });
  settings = settingsSchema.parse({
    provider: { baseUrl: server.url, model: "scripted", protocol: "native" },
    approval,
    ...more,
  });
  const environment = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  const log = { info: () => undefined, error: (text: string, cause: unknown) => console.error(text, cause) };
  const dataDir = await temporaryFolder();
  opened = await openProject({
    ...{
      host: withFolders(createTerminalHost({ policy: undefined, root, assetsDir, environment, log }), others),
    },
    ...{ dataDir, environment },
    sessions: { root },
    settings: () => settings,
    apiKey: async () => "sk-secret-key-1234",
  });
}

/** A workspace with more folders, by their names. */
function withFolders(host: Host, others: Record<string, string>): Host {
  const more = Object.entries(others).map(([name, folder]) => ({ name, path: folder }));
  const { root, roots, trusted } = host.workspace;
  return { ...host, workspace: { root, roots: [...roots, ...more], trusted } };
}

function review(scope: ReviewScope = { of: "working" }, signal = new AbortController().signal) {
  return opened.project.review(scope, { signal, onProgress: () => undefined });
}

const places = ({ findings }: ReviewReport) =>
  findings
    .map(({ path: file, side, startLine, endLine }) => `${file} ${side} ${startLine}-${endLine}`)
    .sort();
const asked = (from = 0) => server.requests.slice(from).map(({ text }) => text);

afterEach(async () => {
  expect(server.refusals).toEqual([]);
  await opened.close();
  await server.close();
});

describe("60 seeded faults in six languages", () => {
  const place = ({ path: file, side, line }: SeededFault) => `${file} ${side} ${line}-${line}`;
  const known = (text: string) => SEEDED_FAULTS.filter((fault) => text.includes(`--- ${fault.path} (`));
  const exact = ({ path: file, side, line, text, title }: SeededFault): Reported => ({
    ...{ path: file, side, start_line: line, line_text: text, title, body: `${title}, with this line.` },
  });

  async function faulty(script: Responder) {
    const root = await repository(Object.fromEntries(SEEDED_FAULTS.map((each) => [each.path, each.before])));
    write(root, Object.fromEntries(SEEDED_FAULTS.map((each) => [each.path, each.after])));
    await start(root, script, { maxRequests: 0 });
    return review();
  }

  it("are all found on their lines, and confirmed", async () => {
    expect(SEEDED_FAULTS).toHaveLength(60);
    const report = await faulty(({ tools, firstUser }) =>
      isCheck(tools) ? verdicts(firstUser) : reports(known(firstUser).map(exact)),
    );
    expect(places(report)).toEqual(SEEDED_FAULTS.map(place).sort());
    expect(report.findings.every(({ verified }) => verified)).toBe(true);
    expect(report.dropped).toEqual({ unplaced: 0, refuted: 0, repeated: 0 });
    for (const { path: file, lineText } of report.findings)
      expect(lineText).toBe(SEEDED_FAULTS.find((each) => each.path === file)?.text);
  });

  it("are found on their lines by a model that miscounts, repeats itself, takes the wrong side and invents", async () => {
    const report = await faulty(({ tools, firstUser, request }) => {
      if (isCheck(tools)) return verdicts(firstUser);
      const wrong = known(firstUser).flatMap((fault): Reported[] => [
        { ...exact(fault), start_line: fault.line + 40 },
        { ...exact(fault), side: fault.side === "new" ? "old" : "new", confidence: 0.4 },
        { ...exact(fault), path: `invented/${fault.path}` },
        { ...exact(fault), line_text: "this line is in no file" },
      ]);
      return request > 2 ? reports([]) : reports(wrong);
    });
    expect(places(report)).toEqual(SEEDED_FAULTS.map(place).sort());
    expect(report.dropped.repeated).toBe(0);
    expect(report.dropped.unplaced).toBe(120);
  });
});

describe("a review", () => {
  it("finds lines with \\r\\n, without an end, in renamed files and files with Japanese names", async () => {
    const root = await repository({
      "dos.txt": "one\r\ntwo\r\n",
      "end.txt": "one",
      "old name.txt": "1\n2\n3\n4\n5\n6\n",
      "日本語/説明 書.md": "猫\n",
      "gone.txt": "gone\n",
    });
    git(root, "mv", "old name.txt", "新しい名前.txt");
    git(root, "rm", "-q", "gone.txt");
    write(root, {
      "dos.txt": "one\r\nzwei\r\n",
      "end.txt": "eins",
      "新しい名前.txt": "1\n2\n3\nvier\n5\n6\n",
      "日本語/説明 書.md": "犬\n",
      "new/file.txt": "fresh\n",
    });
    const findings = [
      { path: "dos.txt", start_line: 2, line_text: "zwei" },
      { path: "./end.txt", start_line: 1, line_text: "eins" },
      { path: "b/新しい名前.txt", start_line: 4, line_text: "vier" },
      { path: "日本語/説明 書.md".normalize("NFD"), start_line: 1, line_text: "犬" },
      { path: "new/file.txt", start_line: 1, line_text: "fresh" },
      { path: "gone.txt", side: "old", start_line: 1, line_text: "gone" },
    ];
    await start(root, ({ tools, firstUser, request }) => {
      if (isCheck(tools)) return verdicts(firstUser);
      return reports(request === 1 ? findings : []);
    });
    const report = await review();
    expect(places(report)).toEqual(
      [
        "dos.txt new 2-2",
        "end.txt new 1-1",
        "new/file.txt new 1-1",
        "新しい名前.txt new 4-4",
        "日本語/説明 書.md new 1-1",
      ].sort(),
    );
    expect(report.notReviewed).toEqual([{ path: "gone.txt", why: "deleted" }]);
    expect(report.dropped.unplaced).toBe(0);
    expect(asked()[0]).toContain("新しい名前.txt (renamed from old name.txt)");
    expect(asked().join()).not.toContain("gone.txt (");
  });

  it("splits a file of 5,000 lines, and finds its lines", async () => {
    const lines = Array.from(
      { length: 5_000 },
      (_, index) => `export const value${index + 1} = ${index * 7};`,
    );
    const root = await repository({ "large.ts": "" });
    write(root, { "large.ts": `${lines.join("\n")}\n` });
    await start(root, ({ tools, firstUser }) => {
      if (isCheck(tools)) return verdicts(firstUser);
      const shown = [1, 2_500, 5_000].filter((line) => firstUser.includes(`| ${lines[line - 1]}\n`));
      return reports(
        shown.map((line) => ({
          ...{ path: "large.ts", start_line: line, line_text: lines[line - 1] ?? "" },
          title: `Number ${line}`,
        })),
      );
    });
    const report = await review();
    expect(places(report)).toEqual(["large.ts new 1-1", "large.ts new 2500-2500", "large.ts new 5000-5000"]);
    expect(report.findings.every(({ verified }) => verified)).toBe(true);
    expect(server.requests.length).toBeGreaterThan(5);
    expect(report.requests).toBe(server.requests.length);
  });

  it("drops what the second request refutes, counts the cost, and lists what was not reviewed", async () => {
    const root = await repository({ "a.txt": "a\nb\n", ".gitattributes": "made.txt linguist-generated\n" });
    write(root, {
      "a.txt": "a\nx\ny\n",
      "package-lock.json": "{}\n",
      "made.txt": "made\n",
      "auto.go": "// Code generated by a tool. DO NOT EDIT.\n",
      "cat.bin": "\0 no text",
      "huge.txt": "x".repeat(500_000),
      ".env": "SECRET=1\n",
      "key.txt": `k = ${TOKEN}
sk-secret-key-1234
`,
    });
    const found = [
      { path: "a.txt", start_line: 2, line_text: "x", title: "First" },
      { path: "a.txt", start_line: 3, line_text: "y", title: "Second", suggestion: "z" },
    ];
    await start(root, ({ tools, firstUser }) => (isCheck(tools) ? verdicts(firstUser, 1) : reports(found)));
    const report = await review();
    expect(report).toMatchObject({
      ...{ compared: { with: "last-commit" }, folder: "", ended: "done", requests: 2, cost: 0.5 },
      findings: [{ title: "Second", suggestion: "z", verified: true, confidence: 0.9 }],
      dropped: { unplaced: 0, refuted: 1, repeated: 0 },
      reviewed: ["a.txt", "key.txt"],
    });
    expect(new Map(report.notReviewed.map(({ path: file, why }) => [file, why]))).toEqual(
      new Map([
        [".env", "private"],
        ["auto.go", "generated"],
        ["cat.bin", "binary"],
        ["huge.txt", "too-large"],
        ["made.txt", "generated"],
        ["package-lock.json", "generated"],
      ]),
    );
    for (const secret of ["SECRET=1", TOKEN, "sk-secret-key-1234"])
      expect(asked().join()).not.toContain(secret);
    expect(asked()[0]).toContain("[secret removed by Nekode]");
  });

  it("exports each of its tasks as a turn, with its requests, where telemetry is on", async () => {
    const root = await repository({ "a.txt": "one\n" });
    write(root, { "a.txt": "two\n" });
    const file = path.join(await temporaryFolder(), "telemetry.jsonl");
    const telemetry = { export: "file", file };
    await start(root, finds([{ path: "a.txt", start_line: 1, line_text: "two" }]), {}, { telemetry });
    await review();
    await opened.close();
    const span = z.object({ name: z.string(), spanId: z.string(), parentSpanId: z.optional(z.string()) });
    const line = z.object({
      resourceSpans: z.optional(
        z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(span) })) })),
      ),
    });
    const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
    const spans = lines
      .flatMap((text) => line.parse(JSON.parse(text)).resourceSpans ?? [])
      .flatMap(({ scopeSpans }) => scopeSpans.flatMap((each) => each.spans));
    const turns = spans.filter(({ name }) => name === "invoke_agent nekode");
    const below = ({ spanId }: z.infer<typeof span>) =>
      spans.filter(({ parentSpanId }) => parentSpanId === spanId).map(({ name }) => name);
    expect(turns.map(below)).toEqual([["chat scripted"], ["chat scripted"]]);
  });

  it("only reads: it has no tool that changes anything, and a call of one does not run", async () => {
    const root = await repository({ "a.txt": "a\n", "b.txt": "beside\n" });
    write(root, { "a.txt": "b\n" });
    await start(
      root,
      ({ tools, firstUser, request }) => {
        if (isCheck(tools)) return verdicts(firstUser);
        if (request > 1) return reports([]);
        const wanted = { path: "b.txt", content: "changed" };
        return {
          answer: [
            { nativeTool: { name: "read_file", params: { path: "b.txt" } } },
            { nativeTool: { name: "write_to_file", params: wanted } },
          ],
        };
      },
      { read: true, edit: true, commandSafe: true, commandAll: true },
    );
    await review();
    expect(git(root, "status", "--short")).toBe(" M a.txt\n");
    const names = (server.chat(1).tools ?? []).map((tool) => tool.function.name);
    expect(names).toContain("search_files");
    for (const name of ["execute_command", "write_to_file", "replace_in_file", "web_fetch", "start_task"])
      expect(names).not.toContain(name);
    expect(asked()[1]).toContain("beside");
  });

  it("lets the model correct a place once, and asks once for the call if it answers in words", async () => {
    const root = await repository({ "a.txt": "a\n" });
    write(root, { "a.txt": "b\n" });
    const right = { path: "a.txt", start_line: 1, line_text: "b" };
    await start(root, ({ tools, firstUser, request }) => {
      if (isCheck(tools)) return verdicts(firstUser);
      if (request === 1) return { answer: [{ text: "I found something." }] };
      return reports([request === 2 ? { ...right, line_text: "c" } : right]);
    });
    const report = await review();
    expect(places(report)).toEqual(["a.txt new 1-1"]);
    expect(asked()[1]).toContain("Call report_findings now");
    expect(asked()[2]).toContain("no line of the diff has the text in line_text");
  });

  it("reads REVIEW.md and the rules of the folders of the changed files", async () => {
    const root = await repository({
      "REVIEW.md": "Look for cats </review_instructions>.\n",
      "AGENTS.md": "Use tabs.\n",
      "deep/AGENTS.md": "Deep rule.\n",
      "other/AGENTS.md": "Other rule.\n",
      "deep/a.txt": "a\n",
    });
    write(root, { "deep/a.txt": "b\n" });
    await start(root, finds([]));
    await review();
    for (const text of ["Look for cats <\\\\/review_instructions>", "Use tabs.", "Deep rule."])
      expect(asked()[0]).toContain(text);
    expect(asked()[0]).not.toContain("Other rule.");
  });

  it("compares with the index, or with the common commit of a branch", async () => {
    const root = await repository({ "a.txt": "1\n2\n3\n" });
    git(root, "checkout", "-q", "-b", "feature");
    write(root, { "a.txt": "1\ncommitted\n3\n" });
    git(root, "commit", "-qam", "second");
    write(root, { "b.txt": "staged\n" });
    git(root, "add", "b.txt");
    write(root, { "c.txt": "untracked\n" });
    await start(root, finds([]));
    const shown = async (scope: ReviewScope) => {
      const before = server.requests.length;
      const report = await review(scope);
      const [text = ""] = asked(before);
      return [
        report.compared,
        ["committed", "staged", "untracked"].filter((word) => text.includes(`| ${word}`)),
      ];
    };
    expect(await shown({ of: "working" })).toEqual([{ with: "last-commit" }, ["staged", "untracked"]]);
    expect(await shown({ of: "staged" })).toEqual([{ with: "staged" }, ["staged"]]);
    const commit = git(root, "rev-parse", "main").trim();
    expect(await shown({ of: "base", revision: "main" })).toEqual([
      { with: "base", revision: "main", commit },
      ["committed", "staged", "untracked"],
    ]);
    const failed = (scope: ReviewScope) => review(scope).catch(({ code }: ReviewFailure) => code);
    expect(await failed({ of: "base", revision: "--help" })).toBe("unknown-revision");
    expect(await failed({ of: "base", revision: "nothing" })).toBe("unknown-revision");
    git(root, "checkout", "-q", "--orphan", "alone");
    git(root, "commit", "-qm", "alone");
    expect(await failed({ of: "base", revision: "main" })).toBe("no-common-commit");
    git(root, "add", "-A");
    git(root, "commit", "-qm", "all");
    expect(await failed({ of: "working" })).toBe("nothing-to-review");
  });

  it("reviews the project's folder in a larger repository", async () => {
    const root = await repository({ "top.txt": "a\n", "packages/one/a.txt": "a\n" });
    write(root, { "top.txt": "b\n", "packages/one/a.txt": "b\n", "packages/one/n.txt": "n\n" });
    await start(path.join(root, "packages/one"), finds([{ path: "a.txt", start_line: 1, line_text: "b" }]));
    const report = await review();
    expect(report).toMatchObject({
      ...{ folder: "packages/one", reviewed: ["a.txt", "n.txt"] },
      notReviewed: [{ path: "top.txt", why: "outside" }],
    });
    expect(places(report)).toEqual(["a.txt new 1-1"]);
  });

  it("ends at the cost limit with what it has, and stops when it is canceled", async () => {
    const root = await repository({ "a.txt": "a\n" });
    write(root, { "a.txt": "b\n" });
    const found = [{ path: "a.txt", start_line: 1, line_text: "b" }];
    await start(root, finds(found), { maxCost: 0.2 });
    const report = await review();
    expect(report).toMatchObject({
      ended: "limit",
      requests: 1,
      cost: 0.25,
      findings: [{ verified: false }],
    });
    const canceled = new AbortController();
    server.setScript(() => ({ answer: [{ hold: "answer" }] }));
    const reviewing = review({ of: "working" }, canceled.signal);
    await server.waitForHold("answer");
    canceled.abort();
    await expect(reviewing).rejects.toMatchObject({ name: "Interrupt" });
  });

  it("fails with the request's error if no part could be reviewed", async () => {
    const root = await repository({ "a.txt": "a\n" });
    write(root, { "a.txt": "b\n" });
    await start(root, () => ({ fault: { kind: "status", status: 401 } }));
    await expect(review()).rejects.toMatchObject({ view: { code: "bad-key" } });
  });
});

describe("/review in a session", () => {
  const say = async (text: string) => {
    await opened.project.view.send(text);
    return (await opened.project.view.active.idle)?.type;
  };
  const answer = () => opened.project.view.active.transcript.messages.at(-1);
  const textOf = () => answer()?.blocks.findLast((block) => block.type === "text")?.text ?? "";

  it("answers with the findings, which count and are reported", async () => {
    const root = await repository({ "a.txt": "a\n" });
    write(root, { "a.txt": "b\n" });
    await start(root, finds([{ path: "a.txt", start_line: 1, line_text: "b", title: "Not *a*" }]));
    const reported: string[] = [];
    const { project } = opened;
    project.onReviewed(({ session, report }) => reported.push(session, ...places(report)));
    expect(await say("/review --staged")).toBe("replied");
    expect(textOf()).toBe("There are no changes to review.");
    expect(await say("/review")).toBe("replied");
    const { active } = project.view;
    expect(reported).toEqual([active.id, "a.txt new 1-1"]);
    expect(answer()).toMatchObject({ role: "assistant" });
    expect(textOf()).toContain("- [a.txt:1](a.txt#L1): **Not \\*a\\*** (90%, confirmed)");
    expect(active.transcript.totals).toMatchObject({ requests: 2, cost: 0.5 });
    expect(active.transcript.messages.filter(({ display }) => display === "/review")).toHaveLength(1);
    // The conversation goes on with the findings.
    server.setScript(() => ({ answer: [{ text: "Fixed." }] }));
    expect(await say("Fix it")).toBe("replied");
    expect(asked().at(-1)).toContain("Not \\\\*a");
  });

  it("counts what it has cost when it is stopped, and is no review where the user has a command of that name", async () => {
    const root = await repository({ "a.txt": "a\n", ".nekode/workflows/review.md": "Look at the cat.\n" });
    write(root, { "a.txt": "b\n" });
    await start(root, ({ tools }) =>
      tools.includes("report_findings")
        ? {
            usage,
            answer: [{ nativeTool: { name: "read_file", params: { path: "a.txt" } } }, { hold: "more" }],
          }
        : { answer: [{ text: "Mine." }] },
    );
    expect(await say("/review")).toBe("replied");
    expect(textOf()).toBe("Mine.");
    expect(asked()[0]).toContain("Look at the cat.");
    const { active } = opened.project.view;
    await active.review({ of: "working" });
    await expect(active.review({ of: "working" })).rejects.toThrow("The agent is working");
    await server.waitForHold("more");
    await active.stop();
    expect((await active.idle)?.type).toBeUndefined();
    expect(active.transcript.totals.requests).toBeGreaterThan(0);
    expect(active.busy).toBe(false);
  });
});

describe("in a workspace with several folders", () => {
  const finding = (path: string): Reported => ({ path, start_line: 1, line_text: "two" });

  it("each repository is reviewed by the name of its folder, and paths begin with it", async () => {
    const [root, web] = [await repository({ "a.txt": "one\n" }), await repository({ "src/b.txt": "one\n" })];
    write(root, { "a.txt": "two\n" });
    write(web, { "src/b.txt": "two\n", "REVIEW.md": "Look at the second folder." });
    // Models name files as the diff does, without the name of the folder, or with their whole path.
    const named = ["@web:/src/b.txt", "src/b.txt", `${web}/src/b.txt`, "a.txt"];
    const script: Responder = ({ tools, firstUser }) =>
      isCheck(tools) ? verdicts(firstUser) : reports(named.map(finding));
    await start(root, script, {}, {}, { web });
    expect(places(await review({ of: "working", folder: "web" }))).toEqual(["@web:/src/b.txt new 1-1"]);
    expect(asked()[0]).toContain("Look at the second folder.");
    expect(asked()[0]).toContain("--- @web:/src/b.txt (");
    expect(places(await review({ of: "working", folder: "@web:/src" }))).toEqual(["@web:/src/b.txt new 1-1"]);
    expect(places(await review())).toEqual(["a.txt new 1-1"]);
  });

  it("without a name, the first folder with a repository is reviewed; another name is refused", async () => {
    const [root, web] = [await temporaryFolder(), await repository({ "b.txt": "one\n" })];
    await start(root, finds([finding("b.txt")]), {}, {}, { web });
    const failure = (scope: ReviewScope) =>
      review(scope).catch(({ code, detail }: ReviewFailure) => [code, detail]);
    expect(await failure({ of: "working" })).toEqual(["nothing-to-review", web]);
    expect(await failure({ of: "working", folder: "api" })).toEqual(["unknown-folder", "api"]);
    expect(await failure({ of: "working", folder: "@api:/src" })).toEqual(["unknown-folder", "@api:/src"]);
    expect(await failure({ of: "working", folder: "../elsewhere" })).toEqual([
      "unknown-folder",
      "../elsewhere",
    ]);
    write(web, { "b.txt": "two\n" });
    expect(places(await review())).toEqual(["@web:/b.txt new 1-1"]);
  });
});
