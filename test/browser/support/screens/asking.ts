/** Calls that wait for the user, and questions of servers. */
import type { ApprovalView, EventBody } from "../../../../src/shared/event.ts";
import type { Explanation } from "../../../../src/shared/explanation.ts";
import { reasonOf } from "../../../../src/shared/reason.ts";
import type { ServerForm } from "../../../../src/shared/server-form.ts";
import type { ToolPresentation } from "../../../../src/shared/tool-presentation.ts";
import { ask, text } from "../events.ts";
import type { FakeHost } from "../fake-host.ts";
import { scenes } from "../scenes.ts";
import { host, page } from "../suite.ts";
import { by, press, type ShownScreen, talk } from "./screen.ts";

const edit: Partial<ApprovalView> = {
  access: "edit",
  path: "src/cats.js",
  added: 7,
  removed: 1,
  reason: reasonOf("editing-asks"),
  always: "src/cats.js",
  hunks: {
    shown: [
      { line: 4, removed: ['  return "meow";'], added: ['  return loud ? "MEOW" : "meow";'] },
      {
        line: 9,
        removed: [],
        added: ["", "export function purr() {", '  return "purr";', "}", "", "// end"],
      },
    ],
    more: 0,
  },
};
const command: Partial<ApprovalView> = {
  command: "npm publish --dry-run",
  reason: reasonOf("not-listed", "npm publish"),
  always: "npm publish --dry-run",
};

const patch: Partial<ApprovalView> = {
  access: "edit",
  path: "src/cats.js",
  added: 8,
  removed: 4,
  reason: reasonOf("editing-asks"),
  files: [
    {
      path: "src/cats.js",
      kind: "update",
      added: 7,
      removed: 1,
      at: 0,
      ...(edit.hunks && { hunks: edit.hunks }),
    },
    { path: "test/components/deeply/nested/old-cats.test.js", kind: "delete", added: 0, removed: 2, at: 3 },
    {
      ...{ path: "src/dogs.js", to: "src/animals/dogs.js", kind: "move", added: 1, removed: 1, at: 4 },
      hunks: {
        shown: [{ line: 1, removed: ["const dog = 1;"], added: ["export const dog = 1;"] }],
        more: 0,
      },
    },
  ],
};

const explanation: Explanation = {
  verdict: "ask",
  reason: { code: "not-listed", values: ["npm publish"] },
  subject: "command",
  part: "npm publish --dry-run",
  parts: [
    { text: "git status", verdict: "allow", reason: { code: "allow-listed", values: ["git status"] } },
    {
      text: "npm publish --dry-run",
      verdict: "ask",
      reason: { code: "not-listed", values: ["npm publish"] },
    },
  ],
  remedy: { allow: ["npm publish"], undeny: [], settings: ["nekode.approval.commandSafe"] },
  examples: { runs: "npm publish --dry-run", asks: "npm publish" },
};

const FACE: ToolPresentation = {
  icon: "plug",
  title: { doing: "Using MCP tool", done: "Used MCP tool" },
  row: "tool",
  question: "Call this tool of the MCP server?",
};
const withServer = (host: FakeHost): void => {
  host.view = { ...host.view, faces: { ...host.view.faces, memory__create: FACE } };
};

const form: ServerForm = {
  id: "f1",
  server: "memory",
  message: "Who are you?",
  ask: {
    type: "fields",
    fields: [
      {
        name: "name",
        title: "Name",
        required: true,
        description: "As on your passport",
        kind: { type: "text", minLength: 2 },
      },
      { name: "age", title: "Age", required: true, kind: { type: "number", integer: true, min: 18 } },
      { name: "news", title: "News", required: false, kind: { type: "boolean", initial: true } },
      {
        name: "color",
        title: "Color",
        required: true,
        kind: {
          type: "choice",
          choices: [
            { value: "r", title: "Red" },
            { value: "g", title: "Green" },
          ],
        },
      },
      {
        name: "pets",
        title: "Pets",
        required: false,
        kind: {
          type: "choices",
          min: 1,
          choices: [
            { value: "c", title: "Cat" },
            { value: "d", title: "Dog" },
          ],
        },
      },
    ],
  },
};

const CALL: EventBody = {
  type: "call",
  messageId: "m",
  callId: "c",
  tool: "memory__create",
  subject: "memory: create",
};
const card = (...call: Parameters<typeof ask>) =>
  talk(by("approve"), () => [text("I will change it."), ...ask(...call)]);

export const askingScreens: Readonly<Record<string, ShownScreen>> = {
  "approval-edit": card("c", "replace_in_file", "src/cats.js", edit),
  "approval-hunk-left": {
    ...card("c", "replace_in_file", "src/cats.js", edit),
    act: async () => {
      await press("all-hunks");
      await page.getByTestId("take-hunk").nth(1).uncheck();
    },
  },
  "approval-command": card("c", "execute_command", "npm publish --dry-run", command),
  "approval-danger": card("c", "execute_command", "rm -rf build && git push --force", {
    command: "rm -rf build ~/.cache/shop && git push --force origin main",
    reason: reasonOf("not-listed", "rm"),
    dangers: ["deletes", "rewrites-remote", "outside"],
    outsideSandbox: true,
  }),
  "approval-notebook": card("c", "edit_notebook", "replace notebooks/cat-weights.ipynb", {
    ...edit,
    path: "notebooks/cat-weights.ipynb",
    always: "notebooks/cat-weights.ipynb",
    offersEdits: true,
  }),
  "approval-cell": card("c", "run_cell", "notebooks/cat-weights.ipynb", {
    access: "command",
    path: "notebooks/cat-weights.ipynb",
    text: "```python\nimport pandas as pd\nweights = pd.read_csv('weights.csv')  # A line which needs a scroll bar\n```",
  }),
  "approval-scopes": {
    ...card("c", "execute_command", "npm publish --dry-run", command),
    act: () => press("approve-more"),
    has: "[role=menu]",
  },
  "approval-comment": {
    ...card("c", "execute_command", "npm publish --dry-run", command),
    act: async () => {
      await press("reject-with-comment");
      await page.keyboard.type("use pnpm");
    },
  },
  "approval-why": {
    ...talk(
      by("approve"),
      () => ask("c", "execute_command", "git status && npm publish --dry-run", command),
      async () => {
        await press("approve-why");
      },
      (host) => {
        host.explanation = explanation;
      },
    ),
    has: ".why-body code",
  },
  "approval-web": card("c", "web_fetch", "https://example.com/", {
    access: "web",
    url: "https://example.com/docs/a/very/long/address/of/a/page?with=parameters&and=more",
  }),
  "approval-search": card("c", "web_search", "how cats purr", { access: "web", query: "how cats purr" }),
  "approval-server": talk(
    by("server-call"),
    () =>
      ask("c", "memory__create", "memory: create", {
        access: "mcp",
        reason: reasonOf("mcp-destructive"),
        server: {
          name: "memory",
          tool: "create",
          title: "Create entities",
          description: `Creates entities.\n\n${"More about it. ".repeat(20)}`,
          arguments: JSON.stringify({ names: ["ネコ", "in\u200bvisible"], count: 2, force: true }, null, 2),
        },
        always: "memory: create",
      }),
    undefined,
    withServer,
  ),
  "approval-patch": card("c", "apply_patch", "src/cats.js, …", patch),
  "approval-patch-left": {
    ...card("c", "apply_patch", "src/cats.js, …", patch),
    act: () => page.getByTestId("take-file").nth(1).uncheck(),
  },
  "approval-files": { host: (host) => scenes.patch?.(host), has: by("approve") },
  "approval-hidden": { host: (host) => scenes.command?.(host), has: by("approve") },
  "approval-line": {
    ...talk(by("approve"), () => [
      ...Array.from({ length: 40 }, (_, index) => text(`Paragraph ${index}`)),
      ...ask("c", "replace_in_file", "src/cats.js", edit),
    ]),
    act: async () => {
      await page.getByTestId("transcript").hover();
      await page.mouse.wheel(0, -3_000);
    },
    has: by("approval-line"),
  },
  question: { host: (host) => scenes.question?.(host), has: ".options vscode-button" },
  "server-question": talk(
    by("server-question"),
    () => [
      CALL,
      { type: "call-running", callId: "c" },
      { type: "form", callId: "c", form },
      { type: "status", status: "approval" },
    ],
    undefined,
    withServer,
  ),
  "other-tasks": talk(
    by("session-list"),
    () => [],
    async () =>
      host.listTasks(
        {
          ...{ id: "a", title: "Add a search field to the list of orders", state: "approval" },
          call: { tool: "execute_command", subject: "npm test -- --run test/unit" },
        },
        { id: "q", title: "Choose a library for dates", state: "question" },
        { id: "f", title: "Update the dependencies", state: "failed" },
        { id: "i", title: "猫の写真を表示する", state: "interrupted" },
        { id: "d", title: "Explain the parser", state: "done" },
        { id: "w", title: "Translate the manual", state: "working" },
        { id: "t", title: "", state: "queued" },
      ),
  ),
  "leave-question": talk(
    by("leave-question"),
    () => [{ type: "status", status: "streaming" }],
    async () => {
      await page.getByTestId("stop").waitFor();
      await page.getByTestId("fork-message").press("Enter");
    },
  ),
};
