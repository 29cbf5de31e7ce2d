/** An endpoint that fails, on the product's own host: how the user sees it, and how it goes on; nothing typed is lost. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type ModelServer, type Script, startModelServer } from "../../model-server/server.ts";
import { JOURNEY, openProjectPanel, type ProjectPanel } from "../support/project-panel.ts";

let server: ModelServer;
let nekode: ProjectPanel;

const WORKS = [{ text: "It works now." }];

beforeAll(async () => {
  server = await startModelServer({ script: { turns: [] } });
  nekode = await openProjectPanel({ modelServer: { baseUrl: server.url } });
});
beforeEach(async () => {
  server.forgetRequests();
  await nekode.newTask();
});
afterAll(async () => {
  await nekode.close();
  await server.close();
});

const cases: [string, Script, string][] = [
  [
    "a wrong key",
    { turns: [{ fault: { kind: "status", status: 401, times: 1 }, answer: WORKS }] },
    "API key",
  ],
  [
    "an unknown model",
    { turns: [{ fault: { kind: "status", status: 404, times: 1 }, answer: WORKS }] },
    "scripted",
  ],
];
it.each(cases)("%s: a row says so, and retry goes on", JOURNEY, async (_, script, words) => {
  server.setScript(script);
  await nekode.send("Hello");
  await nekode.row("error", words).waitFor();
  await nekode.page.getByTestId("retry").click();
  await nekode.row("text", "It works now.").waitFor();
  expect(server.requests).toHaveLength(2);
});

it("one that is down: the address is named, and the message is kept", JOURNEY, async () => {
  nekode.host.set("nekode.provider.baseUrl", "http://127.0.0.1:9/v1");
  await nekode.send("Hello");
  await nekode.row("error", "127.0.0.1:9").waitFor();
  await nekode.row("user", "Hello").waitFor();
});
