/**
 * A task that starts four, under both protocols: three look something up and one changes files, seen, asked, opened, reloaded,
 * approved and stopped.
 */
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { openWorkbench, type Workbench } from "./support/index.ts";

let server: ModelServer;
let vscode: Workbench;
let panel: FrameLocator;

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

const child = (title: string) => vscode.row("tool", title).getByTestId("child-task");
const cat = () => vscode.workspace?.read("cat.txt");

describe.each([
  { protocol: "native", theme: "dark" },
  { protocol: "xml", theme: "light" },
] as const)("under $protocol", ({ protocol, theme }) => {
  beforeAll(async () => {
    server = await startModelServer({ script: { turns } });
    vscode = await openWorkbench({
      files: {
        "cat.txt": "a cat\r\n",
        ...Object.fromEntries(NAMES.map((name) => [`${name}.txt`, `of ${name}\n`])),
      },
      git: true,
      modelServer: { baseUrl: server.url },
      settings: { "nekode.provider.protocol": protocol },
      theme,
    });
    panel = await vscode.openPanel();
  });
  afterAll(async () => {
    await vscode.close();
    expect(server.refusals).toEqual([]);
    await server.close();
  });

  it("each is one row that unfolds to its steps, and what one asks is asked here", async () => {
    await vscode.send("Do all of it");
    await Promise.all(NAMES.map((name) => server.waitForHold(name)));
    for (const name of NAMES) await child(`Look at ${name}`).getByText("Working").waitFor();
    // The last row to come: it moves the others, and a press would miss its place.
    await panel.getByText("For the task “Make it a dog”").waitFor();
    await child("Look at alpha").getByText("1 step").click();
    await child("Look at alpha").getByText("Read alpha.txt").waitFor();
    await vscode.screenshot(`families-${protocol}`);
    // They are no tasks of their own.
    expect(await panel.getByTestId("session-item").count()).toBe(0);
    await panel.getByTestId("approve").click();
    await panel.getByText("Apply the changes of this task?").waitFor();
    await panel.getByTestId("shown-files").waitFor();
    await vscode.screenshot(`families-${protocol}-proposal`);
    expect(await cat()).toBe("a cat\r\n");
  });

  it("one is opened while it works, and the others go on", async () => {
    await child("Look at beta").getByTestId("open-child").click();
    await vscode.row("user", "Look at beta").waitFor();
    await vscode.screenshot(`families-${protocol}-child`);
    await vscode.switchTo("Do all of it");
    await child("Look at beta").getByText("Working").waitFor();
  });

  it("a reload in the middle asks again what waited, and the rest goes on once the user decides", async () => {
    const sent = server.requests.length;
    await vscode.reload();
    await vscode.openPanel();
    await vscode.row("user", "Do all of it").waitFor();
    await panel.getByTestId("shown-files").waitFor();
    await child("Look at alpha").getByText("Waits for your decision").waitFor();
    expect(server.requests).toHaveLength(sent);
    await vscode.screenshot(`families-${protocol}-reloaded`);
    await panel.getByTestId("approve").click();
    await panel.getByTestId("approve").waitFor({ state: "detached" });
    await Promise.all(NAMES.map((name) => server.waitForHold(name)));
    await child("Look at gamma").getByTestId("stop-child").click();
    await child("Look at gamma").getByText("Stopped by you").waitFor();
    for (const name of NAMES) for (let times = 0; times < 2; times++) server.release(name);
    await vscode.row("result", "All four are done.").waitFor();
    expect(await cat()).toBe("a dog\r\n");
    expect(server.requests.at(-1)?.text).toContain("Report on beta.");
    expect(server.chat(1).tools === undefined).toBe(protocol === "xml");
    await vscode.titleAction("Show History");
    await panel.getByText("4 started tasks").waitFor();
    await vscode.screenshot(`families-${protocol}-history`);
  });
});
