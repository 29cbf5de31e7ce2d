/**
 * A task that starts four, on a real project: three look something up and one changes files, seen, asked,
 * opened, reloaded, approved and stopped.
 */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "../../model-server/server.ts";
import { underOne } from "../../support/protocols.ts";
import { JOURNEY, openProjectPanel, type ProjectPanel } from "../support/project-panel.ts";

let server: ModelServer;
let nekode: ProjectPanel;
let page: Page;

const task = (kind: string, description: string) => ({ tool: "start_task", params: { description, kind } });
const done = (result: string) => ({ tool: "attempt_completion", params: { result } });
const NAMES = ["alpha", "beta", "gamma"];

const turns = [
  {
    match: { firstUser: "Do all of it", request: 1 },
    answer: [
      { text: "I start four tasks." },
      ...NAMES.map((name) => task("explore", `Look at ${name}`)),
      task("work", "Make it a dog"),
    ],
  },
  { match: { firstUser: "Do all of it", request: 2 }, answer: [done("All four are done.")] },
  ...NAMES.flatMap((name) => [
    {
      match: { firstUser: `Look at ${name}`, request: 1 },
      answer: [{ tool: "read_file", params: { path: `${name}.txt` } }],
    },
    {
      match: { firstUser: `Look at ${name}`, request: 2 },
      answer: [{ hold: name }, done(`Report on ${name}.`)],
      times: 2,
    },
  ]),
  {
    match: { firstUser: "Make it a dog", request: 1 },
    answer: [{ tool: "write_to_file", params: { path: "cat.txt", content: "a dog\r\n" } }],
  },
  { match: { firstUser: "Make it a dog", request: 2 }, answer: [done("It is a dog.")] },
];

const child = (title: string) => nekode.row("tool", title).getByTestId("child-task");
const cat = () => nekode.workspace.read("cat.txt");

describe.each(underOne("native"))("under %s", (protocol) => {
  beforeAll(async () => {
    server = await startModelServer({ script: { turns } });
    nekode = await openProjectPanel({
      files: {
        "cat.txt": "a cat\r\n",
        ...Object.fromEntries(NAMES.map((name) => [`${name}.txt`, `of ${name}\n`])),
      },
      git: true,
      modelServer: { baseUrl: server.url },
      settings: { "nekode.provider.protocol": protocol },
    });
    page = nekode.page;
  });
  afterAll(async () => {
    await nekode.close();
    expect(server.refusals).toEqual([]);
    await server.close();
  });

  it("each is one row that unfolds to its steps, and what one asks is asked here", JOURNEY, async () => {
    await nekode.send("Do all of it");
    await Promise.all(NAMES.map((name) => server.waitForHold(name)));
    for (const name of NAMES) await child(`Look at ${name}`).getByText("Working").waitFor();
    // The last row to come: it moves the others, and a press would miss its place.
    await page.getByText("For the subtask “Make it a dog”").waitFor();
    await child("Look at alpha").getByText("1 step").click();
    await child("Look at alpha").getByText("Read alpha.txt").waitFor();
    // They are no tasks of their own.
    expect(await page.getByTestId("session-item").count()).toBe(0);
    await page.getByTestId("approve").click();
    await page.getByText("Apply the changes of this subtask?").waitFor();
    await page.getByTestId("shown-files").waitFor();
    expect(await cat()).toBe("a cat\r\n");
  });

  it("one is opened while it works, and the others go on", JOURNEY, async () => {
    await child("Look at beta").getByTestId("open-child").click();
    await nekode.row("user", "Look at beta").waitFor();
    await nekode.switchTo("Do all of it");
    await child("Look at beta").getByText("Working").waitFor();
  });

  it(
    "a reload in the middle asks again what waited, and the rest goes on once the user decides",
    JOURNEY,
    async () => {
      const sent = server.requests.length;
      await nekode.reload();
      await nekode.row("user", "Do all of it").waitFor();
      await page.getByTestId("shown-files").waitFor();
      await child("Look at alpha").getByText("Waiting for your decision").waitFor();
      expect(server.requests).toHaveLength(sent);
      await page.getByTestId("approve").click();
      await page.getByTestId("approve").waitFor({ state: "detached" });
      await Promise.all(NAMES.map((name) => server.waitForHold(name)));
      await child("Look at gamma").getByTestId("stop-child").click();
      await child("Look at gamma").getByText("Stopped by you").waitFor();
      for (const name of NAMES) for (let times = 0; times < 2; times++) server.release(name);
      await nekode.row("result", "All four are done.").waitFor();
      expect(await cat()).toBe("a dog\r\n");
      expect(server.requests.at(-1)?.text).toContain("Report on beta.");
      expect(server.chat(1).tools === undefined).toBe(protocol === "xml");
      await nekode.openHistory();
      await page.getByText("4 subtasks").waitFor();
    },
  );
});
