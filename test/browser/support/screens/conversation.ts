/** Conversations: turns, answers, results, notices and failures. */
import { startTask } from "../../../../src/core/tools/children/start-task.ts";
import { readFile } from "../../../../src/core/tools/read-file.ts";
import type { EventBody } from "../../../../src/shared/event.ts";
import type { CallOutcome, Message, ShownResult } from "../../../../src/shared/message.ts";
import type { ChildStep, ChildTask } from "../../../../src/shared/view/child-task.ts";
import { DIAGRAMS } from "../diagrams.ts";
import { assistant, id, message, session, text, user } from "../events.ts";
import { planned, planState } from "../plans.ts";
import { scenes } from "../scenes.ts";
import { page, showScreen } from "../suite.ts";
import { by, press, type ShownScreen, talk } from "./screen.ts";

const call = (
  tool: string,
  subject: string,
  shown: Partial<ShownResult> = {},
  outcome: CallOutcome = "done",
): EventBody[] => {
  const callId = id();
  return [
    { type: "call", messageId: "m", callId, tool, subject },
    { type: "call-done", callId, outcome, shown },
  ];
};
const edited = (path: string, shown: Partial<ShownResult>, undone = false): EventBody[] => {
  const events = call("replace_in_file", path, shown);
  const [begun] = events;
  const callId = begun?.type === "call" ? begun.callId : "";
  return [
    ...events,
    {
      type: "checkpoint",
      checkpoint: { id: callId, kind: "call", at: callId, files: 1, ...(undone && { undone }) },
    },
  ];
};
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
const image = { mimeType: "image/png", data: PIXEL };
/** A call with two pictures, an answer with one, and a message with two. */
const withPictures = (has: string, act?: () => Promise<void>): ShownScreen => ({
  ...talk(
    has,
    () => [
      {
        type: "message",
        message: message("user", {
          display: "Look",
          blocks: [
            { type: "text", text: "Look" },
            { type: "image", ...image },
          ],
        }),
      },
      { type: "call", messageId: "m", callId: "shot", tool: "read_file", subject: "shot.png" },
      {
        type: "call-done",
        callId: "shot",
        outcome: "done",
        shown: {
          text: "PNG image",
          pictures: [
            { width: 900, height: 600, about: "Cat shop, after a click", mark: { x: 430, y: 300 } },
            { width: 900, height: 600 },
          ],
        },
      },
      text("![A cat](docs/cat.png) and ![Web](https://example.com/1.png)"),
    ],
    act,
    (host) => {
      host.images = { "docs/cat.png": image };
      host.sent = [image];
      host.pictures = { "shot:0": image, "shot:1": image };
    },
  ),
});
const idle: EventBody = { type: "status", status: "idle" };
const fence = (language: string, source: string) => `\`\`\`${language}\n${source}\n\`\`\`\n`;

const RICH = `# A heading of the first level

Some **bold** and *slanted* words, \`src/cats.js:12\`, \`Cart.total()\`, a [link](https://example.com) and <kbd>Ctrl</kbd>+<kbd>C</kbd>; H<sub>2</sub>O.[^1]

- [x] done
- [ ] open
  1. inner, with a text that is long enough to need a second line

| name | purrs | price |
| :-- | :-: | --: |
| Tama | yes | 1,200 |
| 三毛猫 | no | 90 |

> A quotation 猫は液体である。

<details>
<summary>The log</summary>

Nothing.

</details>

---

[^1]: Water.`;

const STARTED: readonly EventBody[] = [
  { type: "call", messageId: "m", callId: "bg", tool: "execute_command", subject: "npm run dev" },
  { type: "call-running", callId: "bg" },
  {
    type: "call-done",
    callId: "bg",
    outcome: "done",
    shown: { output: "listening on 5173\n", exitCode: null, durationMs: 3_000, background: "3" },
  },
];
const background = (command: string, number: string, callId: string) => ({
  id: number,
  callId,
  session: "s",
  command,
  startedAt: new Date(Date.now() - 83_000).toISOString(),
});

const subtask = (callId: string, task: Omit<ChildTask, "steps" | "more">, step: ChildStep): EventBody[] => [
  {
    ...{ type: "call", messageId: "m", callId, tool: "start_task", subject: task.title },
    face: startTask.presentation,
  } as const,
  { type: "call-running", callId },
  { type: "child", callId, task, step, face: readFile.presentation },
];
const subtasks = (): EventBody[] => [
  ...subtask(
    "a",
    {
      ...{ id: "child-a", title: "Find every place where an order is priced, in all packages" },
      ...{ kind: "explore", state: "working", requests: 3, cost: 0.0123 },
    },
    { id: "1", tool: "read_file", subject: "packages/shop/src/orders/price.ts", state: "done" },
  ),
  ...subtask(
    "b",
    { id: "child-b", title: "猫を犬にする", kind: "work", state: "approval", requests: 1 },
    { id: "1", tool: "read_file", subject: "cat.txt", state: "approval" },
  ),
];

const compared: readonly EventBody[] = [
  { type: "comparison", id: "c1", names: ["openai/gpt-5.1", "local/qwen3-coder:30b"] },
  ...["The loop ends when `next` returns **undefined**.", "It ends, あるいは終わりません。"].map(
    (words, index): EventBody => ({
      type: "comparison-done",
      id: "c1",
      index,
      answer: {
        name: ["openai/gpt-5.1", "local/qwen3-coder:30b"][index] ?? "",
        text: words,
        outcome: "done",
        usage: { inputTokens: 4_200, outputTokens: 310, cost: 0.0123 },
        durationMs: 3_400,
      },
    }),
  ),
  idle,
];
const failure = (error: Extract<EventBody, { type: "error" }>["error"]): ShownScreen =>
  talk(".error", () => [{ type: "error", id: id(), error }]);
const scene = (name: string, has: string): ShownScreen => ({ host: (host) => scenes[name]?.(host), has });
const many = Array.from({ length: 14 }, (_, index) => `line ${index + 1}`).join("\n");
const colored = [30, 31, 32, 33, 34, 35, 36, 37, 90, 91, 92, 93, 94, 95, 96, 97]
  .map((code) => `\u001b[${code}m${code}\u001b[0m`)
  .join(" ");
const answered = (blocks: Message["blocks"]): EventBody => ({
  type: "message",
  message: message("assistant", { blocks, model: "tiny-model", connection: "llamacpp" }),
});

export const conversationScreens: Readonly<Record<string, ShownScreen>> = {
  working: scene("working", by("row")),
  turn: scene("turn", ".strip-file"),
  "turn-unfolded": {
    ...scene("turn", ".row[data-depth='2']"),
    act: async () => {
      await press("work");
      await press("work", 1);
    },
  },
  "turn-kept": { ...scene("turn", "[aria-expanded=false].strip-title"), act: () => press("keep") },
  exploring: talk(".status, .fold-line .ring", () => [
    { type: "status", status: "running" },
    text("First I look at how cats are stored."),
    ...call("read_file", "src/animals/felines/domestic/cat-repository.ts", { text: "120" }),
    ...call("search_files", "meow"),
    { type: "call", messageId: "m", callId: "now", tool: "read_file", subject: "src/animals/sound.ts" },
    { type: "call-running", callId: "now" },
  ]),
  edits: {
    ...talk(".row-actions", () => [
      text("Now the edits."),
      ...edited("src/animals/felines/domestic/cat-repository.ts", { added: 12, removed: 3 }),
      ...edited("a.ts", { added: 4 }),
      ...call("execute_command", "npm test", { output: "ok\n", exitCode: 0, durationMs: 5_300, sandbox: {} }),
      ...edited("b.ts", { removed: 4 }, true),
      idle,
    ]),
    act: () => page.locator(".call-head", { hasText: "a.ts" }).last().hover(),
  },
  result: scene("result", ".result"),
  "answer-rich": talk(".md-footnote", () => [answered([{ type: "text", text: RICH }]), idle]),
  "answer-code": talk(
    by("code-insert"),
    () => [
      text(`${fence("ts", "export const cat = 1; // A cat that is on a line which needs a scroll bar")}
${fence("bash", "npm test\nnpm run build")}
${fence("diff", "-meow\n+MEOW")}`),
      idle,
    ],
    () => page.locator(".code").first().hover(),
  ),
  "answer-math": talk(by("math"), () => [
    text("The area $\\pi r^2$.\n\n$$\n\\int_0^1 x^2\\,dx = \\frac13\n$$\n\nA fault: $\\frac{a$."),
  ]),
  "answer-diagram": talk('[data-testid="diagram"][data-state="drawn"] img', () => [
    text(`A diagram:\n\n${fence("mermaid", DIAGRAMS.flowchart ?? "")}`),
  ]),
  "answer-diagram-source": {
    ...talk("[data-testid=diagram] .code-text", () => [
      text(`A diagram:\n\n${fence("mermaid", DIAGRAMS.sequence ?? "")}`),
    ]),
    act: async () => {
      await page.locator('[data-testid="diagram"][data-state="drawn"] img').waitFor();
      await page.getByTestId("diagram").hover();
      await press("diagram-source");
    },
  },
  "answer-diagram-failed": talk('[data-testid="diagram"][data-state="failed"]', () => [
    text(fence("mermaid", "flowchart TD\n  A --> --> B")),
  ]),
  reasoning: talk(
    ".reasoning .fold-body",
    () => [
      assistant({ type: "reasoning", text: "The file must be read first.\n\nThen it is changed." }),
      { type: "status", status: "streaming" },
    ],
    () => page.locator(".reasoning summary").click(),
  ),
  hits: talk(
    by("hits"),
    () =>
      call("search_files", "cats?", {
        text: "63",
        hits: {
          found: [
            { path: "src/animals/felines/domestic/cat-repository.ts", line: 12, text: "export class Cats {" },
            { path: "src/animals/felines/domestic/cat-repository.ts", line: 140, text: "const cat = 1" },
            { path: "a.ts", line: 3, text: "cat" },
          ],
          more: 60,
        },
      }),
    () => press("hits-line"),
  ),
  "calls-without-failure": talk(by("row"), () => [
    ...call("replace_in_file", "cats.js", { text: "Block 1 does not match.", note: "refused" }, "failed"),
    ...call("write_to_file", "src/components/deeply/nested/cats.js", { note: "unchanged" }),
    ...call("read_file", "missing.js", { text: "There is no missing.js." }, "failed"),
    ...call("replace_in_file", "dogs.js", { added: 3, removed: 1 }, "rejected"),
  ]),
  output: talk(by("output"), () => [
    ...call(
      "execute_command",
      "npm test -- --reporter dot",
      {
        output: `${many}\n\u001b[1;31mnot ok\u001b[0m 猫 \u001b[2mdim\u001b[0m`,
        exitCode: 1,
        durationMs: 5_300,
      },
      "failed",
    ),
    ...call("execute_command", "npm run colors", { output: colored, exitCode: 0, durationMs: 300 }),
  ]),
  running: talk(by("row"), () => [
    { type: "call", messageId: "m", callId: "r", tool: "execute_command", subject: "npm run build" },
    { type: "call-running", callId: "r" },
    { type: "output", callId: "r", delta: "building…\n" },
    { type: "status", status: "running" },
  ]),
  "running-asks": talk(by("command-answer"), () => [
    { type: "call", messageId: "m", callId: "r", tool: "execute_command", subject: "npm init" },
    { type: "call-running", callId: "r", outside: true },
    { type: "output", callId: "r", delta: "This utility will walk you through it.\npackage name: (shop) " },
    { type: "call-running", callId: "r", waits: true, outside: true },
    { type: "status", status: "running" },
  ]),
  "running-asks-secret": talk(by("waits"), () => [
    {
      type: "call",
      messageId: "m",
      callId: "r",
      tool: "execute_command",
      subject: "sudo apt-get install jq",
    },
    { type: "call-running", callId: "r" },
    { type: "output", callId: "r", delta: "[sudo] password for cat: " },
    { type: "call-running", callId: "r", waits: true, hidden: true },
    { type: "status", status: "running" },
  ]),
  "sandbox-places": talk(by("row"), () => [
    ...call("execute_command", "npm test", { output: "ok\n", exitCode: 0, sandbox: {} }),
    ...call("execute_command", "git push", { output: "ok\n", exitCode: 0, outside: true }),
    text("Both are done."),
    idle,
  ]),
  tests: talk(by("tests"), () => [
    ...call(
      "run_tests",
      "",
      {
        tests: { path: "src/shop", passed: 11, failed: 2, skipped: 1, notRun: 0 },
        hits: {
          found: [
            {
              path: "src/shop/a-very-long-name-of-a-test-file.test.ts",
              line: 12,
              text: "Cart > adds prices",
            },
            { path: "src/shop/cart.test.ts" },
          ],
          more: 0,
        },
        durationMs: 2_400,
      },
      "failed",
    ),
  ]),
  notebook: talk(by("row"), () => [
    text("I change the cell that reads the weights, and run it."),
    ...call("read_file", "notebooks/cat-weights.ipynb", { text: "12" }),
    ...edited("notebooks/cat-weights.ipynb", { added: 3, removed: 1 }),
    ...call("run_cell", "notebooks/cat-weights.ipynb", { output: "mean 4.2\nmax  7.9\n", durationMs: 900 }),
    { type: "status", status: "waiting" },
  ]),
  subtasks: talk(
    by("child-task"),
    () => [text("I look in several places at once."), ...subtasks()],
    () => page.locator("[data-testid=child-task] summary").first().click(),
  ),
  background: talk(
    by("background-command"),
    () => [
      ...STARTED,
      {
        type: "background",
        commands: [background("npm run dev", "3", "bg"), background("npm run watch -- --all", "4", "x")],
      },
      idle,
    ],
    () => page.getByTestId("background-commands").locator("summary").click(),
  ),
  comparison: talk(by("compare-answer"), () => compared),
  "comparison-chosen": talk(
    by("compare-answer"),
    () => [
      ...compared,
      {
        type: "message",
        message: message("user", { blocks: [{ type: "chosen", comparison: "c1", index: 1 }] }),
      },
      text("It ends."),
    ],
    () => page.locator("summary", { hasText: "qwen3" }).click(),
  ),
  pictures: withPictures(".md img"),
  "picture-enlarged": withPictures(".picture-large img", () => press("picture")),
  notices: scene("window", ".notice"),
  plan: talk(by("send-comments"), () => [
    { type: "mode", mode: "plan" },
    ...planned("plan"),
    planState("plan", 2, true),
    idle,
  ]),
  "plan-menu": talk(
    by("start-other-model"),
    () => [{ type: "mode", mode: "plan" }, ...planned("plan"), planState("plan"), idle],
    () => press("start-menu"),
  ),
  "plan-compared": talk(".notice", () => [
    {
      type: "notice",
      id: "n1",
      code: "plan-compared",
      values: ["3", "4", "test/cats.test.js", "src/dogs.js", "2"],
    },
  ]),
  "notice-left-out": {
    has: by("left-out-part"),
    host(host) {
      host.leftOut = {
        parts: [
          { id: "m1", title: "You", subject: "Make the cat louder" },
          { id: "c2", title: "Ran", subject: "npm test -- --reporter dot --and-more-of-them" },
        ],
        more: 7,
      };
      host.emit(session(), user("go on"), {
        type: "notice",
        id: "n:1",
        code: "context-pruned",
        values: ["10"],
      });
    },
    act: () => page.locator(".notice summary").click(),
  },
  checkpoints: talk(".checkpoint", () => [
    ...call("read_file", "a.ts"),
    { type: "call", messageId: "m", callId: "run", tool: "execute_command", subject: "npm run rename" },
    { type: "call-done", callId: "run", outcome: "done" },
    { type: "checkpoint", checkpoint: { id: "run", kind: "call", at: "run", files: 3, left: 1 } },
    { type: "checkpoint", checkpoint: { id: "back", kind: "restore", at: "run", files: 3 } },
    { type: "status", status: "waiting" },
  ]),
  "notice-stopped": talk(".notice", () => [
    text("I begin."),
    { type: "notice", id: "n1", code: "stopped" },
    { type: "notice", id: "n2", code: "mode-plan" },
    { type: "notice", id: "n3", code: "model-changed", values: ["openai/gpt-5.1", "act"] },
    { type: "notice", id: "n4", code: "reply-cut" },
  ]),
  "cost-ahead": talk(".notice vscode-button", () => [
    { type: "notice", id: "n1", code: "cost-ahead", values: ["120,000", "1.20"] },
  ]),
  retrying: talk(".status vscode-button", () => [
    {
      type: "status",
      status: "retrying",
      retry: {
        at: new Date(Date.now() + 60_000).toISOString(),
        try: 2,
        of: 5,
        error: {
          code: "rate-limited",
          subject: "https://api.example.com/v1",
          detail:
            "429: Rate limit reached for gpt-5.1 in organization cats on tokens per min (TPM): limit 30,000, used 29,412.",
        },
      },
    },
  ]),
  "error-key": failure({
    code: "bad-key",
    subject: "api.example.com",
    detail: "401 Incorrect API key provided: sk-1***",
  }),
  "error-unreachable": failure({
    code: "unreachable",
    subject: "http://127.0.0.1:8080/v1",
    detail: "ECONNREFUSED ".repeat(20),
  }),
  "error-model": failure({ code: "no-model" }),
  "error-limit": failure({
    code: "rate-limited",
    subject: "https://api.example.com/v1",
    detail:
      "429: Rate limit reached for gpt-5.1 in organization cats on tokens per min (TPM): limit 30,000, used 29,412.",
  }),
  "error-overflow": failure({ code: "context-length", detail: "12,829 > 6,554 tokens" }),
  todo: talk(
    by("todo-item"),
    () => [
      user("and then?"),
      {
        type: "todo",
        markdown: "- [x] Read\n- [ ] Write 日本語の長い説明を書くステップ\n  - [ ] A part of it\n- [ ] Test",
      },
    ],
    () => page.getByTestId("todo-list").locator("summary").click(),
  ),
  find: {
    ...talk(by("find-input"), () => [text("One cat, two cats."), text("No dogs.")]),
    act: async () => {
      showScreen("find");
      await page.getByTestId("find-input").fill("cat");
      await page.getByTestId("find-count").filter({ hasText: "3" }).waitFor();
    },
  },
  "message-edited": talk(
    by("edit-send"),
    () => [text("Done."), idle],
    () => press("edit-message"),
  ),
  "task-renamed": talk(
    by("task-title-edit"),
    () => [idle],
    () => press("task-title"),
  ),
};
