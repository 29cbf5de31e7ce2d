/** Another model in the middle of a task, several at once, and one task over several APIs, on a real project. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ModelServer, type Script, startModelServer } from "../../model-server/server.ts";
import { JOURNEY, openProjectPanel, type ProjectPanel } from "../support/project-panel.ts";

let server: ModelServer;
let nekode: ProjectPanel;
let page: Page;

beforeAll(async () => {
  server = await startModelServer({ script: { turns: [] } });
  nekode = await openProjectPanel({ files: { "a.txt": "a\n" }, modelServer: { baseUrl: server.url } });
  page = nekode.page;
});
afterAll(async () => {
  await nekode.close();
  // The address without its version is asked once.
  expect(server.refusals.filter((refusal) => !refusal.includes("GET /models."))).toEqual([]);
  await server.close();
});

/** `api` default chat. */
const connection = (name: string, api?: string) => ({
  ...{ name, baseUrl: server.url, keyEnv: "NEKODE_API_KEY" },
  ...(api === undefined ? {} : { api }),
});

/** A new task with these settings. */
async function start(script: Script, settings: Record<string, unknown>): Promise<void> {
  server.setScript(script);
  server.forgetRequests();
  for (const [key, value] of Object.entries(settings)) nekode.host.set(key, value);
  await nekode.newTask();
}

/** As the command of VS Code does, and with the keyboard alone. */
async function selectModel(name: string): Promise<void> {
  nekode.host.notify("models/show", {});
  await page.locator("[data-testid=model-search]:focus").waitFor();
  await page
    .getByTestId("model-option")
    .filter({ hasText: name.split("/").at(-1) ?? "" })
    .first()
    .waitFor();
  await page.keyboard.type(name);
  await nekode.press("Enter");
}

const models = () => server.requests.map(({ body }) => (body as { model?: string }).model);

it(
  "another model in the middle of a task, with a call open: it is used from the next request",
  JOURNEY,
  async () => {
    await start(
      {
        models: ["first", "second"],
        turns: [
          {
            answer: [
              { text: "I write it." },
              { tool: "write_to_file", params: { path: "b.txt", content: "b\n" } },
            ],
          },
          { answer: [{ text: "It is written." }] },
        ],
      },
      { "nekode.provider.model": "first" },
    );
    await nekode.send("Write b.txt");
    await page.getByTestId("approve").waitFor();
    await selectModel("second");
    await nekode.row("notice", "default/second is used from the next request.").waitFor();
    await page.getByTestId("approve").click();
    await nekode.row("text", "It is written.").waitFor();
    await page.getByTestId("answered-by").filter({ hasText: "default/second" }).waitFor();
    expect(models()).toEqual(["first", "second"]);
    expect(await nekode.workspace.read("b.txt")).toBe("b\n");
    // It is the default from now on, also after a reload.
    await nekode.reload();
    await page.getByTestId("model-picker").filter({ hasText: "second" }).waitFor();
    await nekode.newTask();
    await page.getByTestId("model-picker").filter({ hasText: "second" }).waitFor();
  },
);

it(
  "two models side by side, and the conversation continues with one of them, also after a reload",
  JOURNEY,
  async () => {
    await start(
      {
        models: ["left", "right"],
        turns: [
          {
            match: { model: "left", request: 1 },
            answer: [{ text: "I look. " }, { tool: "read_file", params: { path: "a.txt" } }],
          },
          { match: { model: "left", request: 2 }, answer: [{ text: "The left answer." }] },
          { match: { model: "right", request: 1 }, answer: [{ text: "The right answer." }] },
          { match: { said: "And then?" }, answer: [{ text: "The end." }] },
        ],
      },
      {
        "nekode.connections": [connection("one"), connection("two")],
        "nekode.provider.model": "left",
      },
    );
    await nekode.send("@one/left @two/right What is in a.txt?");
    const answers = page.getByTestId("compare-answer");
    await answers.nth(0).getByText("The left answer.").waitFor();
    await answers.nth(1).getByText("The right answer.").waitFor();
    await page.getByRole("button", { name: "Continue with this answer: one/left" }).click();
    await page.getByText("2 answers; continued with one/left").waitFor();
    await nekode.reload();
    await page.getByText("2 answers; continued with one/left").waitFor();
    await nekode.send("And then?");
    await nekode.row("text", "The end.").waitFor();
    const last = JSON.stringify(server.requests.at(-1)?.body);
    expect([last.includes("The left answer."), last.includes("The right answer.")]).toEqual([true, false]);
  },
);

it("one task over three APIs, changed in every direction while a call is open", JOURNEY, async () => {
  const answers = Array.from({ length: 6 }, (_, n) => ({
    match: { request: n + 1 },
    answer: [
      { reasoning: `Step ${n + 1} is next.` },
      { text: `Step ${n + 1}. ` },
      { tool: "write_to_file", params: { path: `${n + 1}.txt`, content: `${n + 1}\n` } },
    ],
  }));
  await start(
    {
      models: ["gpt-4.1", "gpt-5", "claude-sonnet-4-5"],
      turns: [...answers, { answer: [{ text: "All steps are done." }] }],
    },
    {
      "nekode.connections": ["chat", "responses", "anthropic"].map((api) => connection(api, api)),
      "nekode.provider.model": "chat/gpt-4.1",
      "nekode.provider.reasoningEffort": "low",
    },
  );
  await nekode.send("Take six steps");
  const [chat, responses, anthropic] = [
    "chat/gpt-4.1",
    "responses/gpt-5",
    "anthropic/claude-sonnet-4-5",
  ] as const;
  // Each API follows each other one.
  const order = [responses, anthropic, chat, anthropic, responses, chat];
  for (const [n, name] of order.entries()) {
    await nekode.row("text", `Step ${n + 1}.`).waitFor();
    await page.getByTestId("approve").waitFor();
    await selectModel(name);
    const before = order.slice(0, n).filter((each) => each === name).length;
    await nekode.row("notice", `${name} is used from the next request.`).nth(before).waitFor();
    await page.getByTestId("approve").click();
  }
  await nekode.row("text", "All steps are done.").waitFor();
  expect(await nekode.workspace.read("6.txt")).toBe("6\n");
  const asked = server.requests.map(({ path }) => path.replace(/^\/v1\//, ""));
  expect(asked).toEqual([
    "chat/completions",
    "responses",
    "messages",
    "chat/completions",
    "messages",
    "responses",
    "chat/completions",
  ]);
});
