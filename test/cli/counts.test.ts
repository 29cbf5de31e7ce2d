/** What a task costs that can be counted: requests, and how often the program waits for the disk. */
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FOUR_STEPS_AFTER, FOUR_STEPS_FILES, fourSteps } from "../model-server/scripts/four-steps.ts";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { underOne } from "../support/protocols.ts";
import { Project } from "./support.ts";

/**
 * Synchronizations of one turn, each with what it is for: what the user wrote (the journal and its name in the folder), what the file
 * was before the edit (the session's records and their name), the file's new content, the journal before a command that
 * may change anything, and the journal at the end.
 */
const SYNCS_A_TURN = 7;

/** Those of the first turn in a project: what its store has besides what was said is known from that as well. */
const SYNCS_AT_FIRST = SYNCS_A_TURN;

/** Milliseconds after which the store syncs on its own (`SYNC_AFTER_MS`): on a slow machine it would count. */
const SYNC_TIMER_MS = 3_000;

let server: ModelServer;
let project: Project;
let record: string;

beforeEach(async () => {
  server = await startModelServer({ script: fourSteps() });
  project = await Project.create(FOUR_STEPS_FILES);
  record = path.join(path.dirname(project.folder), "record.txt");
});
afterEach(async () => {
  expect(server.refusals).toEqual([]);
  await server.close();
  await project.remove();
});

/** The names of the files that the program and all that it started synchronized with the disk, in order. */
async function syncsOf(protocol: string): Promise<string[]> {
  await project.write(FOUR_STEPS_FILES);
  await rm(record, { force: true });
  const { code, stderr } = await project.spawn(
    ["--protocol", protocol, "--approve", "all", "Count the cats"],
    {
      NEKODE_BASE_URL: server.url,
      NEKODE_MODEL: "scripted",
      NEKODE_CONTEXT_WINDOW: "200000",
      NEKODE_TEST_RECORD: record,
      NEKODE_TEST_LIMIT: String(SYNC_TIMER_MS),
      NODE_OPTIONS: ["watched-process.cjs", "time-limit.cjs"]
        .map((name) => `--require=${path.join(import.meta.dirname, "../fixtures", name)}`)
        .join(" "),
    },
  );
  expect(code, stderr).toBe(0);
  expect(await project.read("a.ts")).toBe(FOUR_STEPS_AFTER);
  const lines = (await readFile(record, "utf8")).trimEnd().split("\n");
  expect(lines.at(-1)).toMatch(/^peak \d+$/);
  return lines.filter((line) => line.startsWith("sync "));
}

describe.each(underOne("native"))("a task of four steps under %s", (protocol) => {
  it("makes four requests, and waits for the disk as seldom as its promises allow", async () => {
    const first = await syncsOf(protocol);
    expect(first.length, first.join("\n")).toBeLessThanOrEqual(SYNCS_AT_FIRST);
    expect(server.requests).toHaveLength(4);
    server.forgetRequests();
    const known = await syncsOf(protocol);
    expect(known, "nothing was counted").not.toEqual([]);
    expect(known.length, known.join("\n")).toBeLessThanOrEqual(SYNCS_A_TURN);
    expect(server.requests).toHaveLength(4);
    // The endpoint is asked for nothing but answers.
    expect(server.otherRequests.map((request) => request.path)).toEqual([]);
  });
});
