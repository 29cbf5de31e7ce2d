/** What the panel may have to show, by name. */
import type { EventBody } from "../../../src/shared/event.ts";
import { reasonOf } from "../../../src/shared/reason.ts";
import { ask, assistant, id, message, session, text, user } from "./events.ts";
import type { FakeHost } from "./fake-host.ts";

const ANSWER = `I will add the sentence. Two things matter here:

1. **The final newline** stays as it is.
2. \`neko.txt\` is UTF-8, see [the file](neko.txt:1).

\`\`\`ts
export function greet(name: string): string {
  return \`Hello, \${name}! This line is long enough to need a scroll bar in a narrow panel.\`;
}
\`\`\`

| file | lines |
| --- | ---: |
| neko.txt | 12 |

> 日本語の引用: 猫は液体である。`;

function working(): EventBody[] {
  const command = id();
  return [
    session("Add a sentence"),
    user('@/neko.txt と @"/my notes.md" に「猫は液体である」を追加してください'),
    { type: "request", messageId: "m1", number: 1 },
    assistant(
      { type: "reasoning", text: "The file must be read first." },
      { type: "text", text: ANSWER },
      {
        type: "tool-call",
        id: "read",
        name: "read_file",
        params: { path: "src/components/deeply/nested/neko.txt" },
      },
    ),
    {
      type: "call",
      messageId: "m1",
      callId: "read",
      tool: "read_file",
      subject: "src/components/deeply/nested/neko.txt",
    },
    { type: "call-done", callId: "read", outcome: "done", shown: { text: "12", durationMs: 20 } },
    {
      type: "call",
      messageId: "m1",
      callId: command,
      tool: "execute_command",
      subject: "npm test -- --reporter dot",
    },
    { type: "output", callId: command, delta: "\u001b[31mFAIL\u001b[0m neko.test.ts\n1 failed, 3 passed\n" },
    { type: "call-done", callId: command, outcome: "failed", shown: { exitCode: 1, durationMs: 5_300 } },
    {
      type: "totals",
      totals: {
        requests: 2,
        inputTokens: 14_000,
        outputTokens: 900,
        cachedTokens: 8_700,
        cost: 0.0123,
        contextTokens: 14_900,
        contextWindow: 128_000,
      },
    },
    {
      type: "todo",
      markdown:
        "- [x] Read the file\n- [x] Find the place\n- [ ] Add the sentence and keep the end\n- [ ] Test\n",
    },
  ];
}

const edit = ask(id(), "replace_in_file", "neko.txt", {
  access: "edit",
  path: "neko.txt",
  added: 1,
  removed: 3,
  reason: reasonOf("editing-asks"),
});
const risky = ask(id(), "execute_command", "rm\u200b -rf build && npm run deploy -- --target production", {
  command: "rm\u200b -rf build && npm run deploy -- --target production",
  cwd: "packages/app",
  reason: reasonOf("hidden-character", "U+200B"),
});
const plain = ask(id(), "execute_command", "npm publish --dry-run", {
  command: "npm publish --dry-run",
  reason: reasonOf("not-listed", "npm publish"),
  always: "npm publish --dry-run",
});
const patch = ask(id(), "apply_patch", "src/a.ts", {
  access: "edit",
  path: "src/a.ts",
  added: 14,
  removed: 5,
  files: [
    { path: "src/a.ts", kind: "update", added: 2, removed: 1 },
    { path: "src/components/deeply/nested/with-a-long-name.test.tsx", kind: "add", added: 12, removed: 0 },
    { path: "old.ts", kind: "move", to: "src/new.ts", added: 0, removed: 0 },
    { path: "gone.ts", kind: "delete", added: 0, removed: 4 },
  ],
  reason: reasonOf("steers-what-runs", ".github"),
});

const condensed: EventBody = {
  type: "message",
  message: message("user", {
    blocks: [
      {
        type: "window",
        shortened: [],
        leftOut: { upTo: "x", count: 34, summary: "## Task\n\nAdd a **sentence**.\n\n- done: read" },
        before: 100_000,
        after: 20_000,
      },
    ],
  }),
};

export const scenes: Record<string, (host: FakeHost) => void> = {
  "not-set-up": (host) => {
    host.setup = { ...host.setup, models: { act: "" }, connections: [], hasWorkspace: false };
  },
  ready: () => {},
  working: (host) => host.emit(...working(), { type: "status", status: "streaming" }),
  edit: (host) => host.emit(...working(), ...edit),
  command: (host) =>
    host.emit(...working(), ...risky, {
      type: "queue",
      items: [{ id: "q", text: "そのあとテストも書いてください" }],
    }),
  always: (host) => host.emit(...working(), ...plain),
  patch: (host) => host.emit(...working(), ...patch),
  window: (host) =>
    host.emit(
      ...working(),
      { type: "notice", id: id(), code: "context-shortened", values: ["12"] },
      condensed,
      { type: "notice", id: id(), code: "context-pruned", values: ["8"] },
    ),
  question: (host) =>
    host.emit(
      ...working(),
      assistant({
        type: "tool-call",
        id: "question",
        name: "ask_followup_question",
        params: {
          question: "Which **file** is meant?",
          options: ["neko.txt", "inu.txt, the one that was added last week"],
        },
      }),
      { type: "call-done", callId: "question", outcome: "done" },
      { type: "status", status: "idle" },
    ),
  result: (host) =>
    host.emit(
      ...working(),
      assistant({
        type: "tool-call",
        id: "result",
        name: "attempt_completion",
        params: {
          result: "The sentence is in `neko.txt`.\n\n- one line added\n- tests pass",
          command: "npm test",
        },
      }),
      { type: "call-done", callId: "result", outcome: "done" },
    ),
  turn: (host) => {
    host.turnFiles = [
      { path: "neko.txt", kind: "update", added: 12, removed: 3, undone: false },
      {
        path: "src/components/deeply/nested/with-a-long-name.test.tsx",
        kind: "add",
        added: 40,
        removed: 0,
        undone: false,
      },
      { path: "gone.ts", kind: "delete", added: 0, removed: 4, undone: false },
      { path: "back.ts", kind: "update", added: 1, removed: 1, undone: true },
    ];
    const asked = message("user", { display: "Rename the cat", createdAt: "2024-12-31T23:59:19Z" });
    const calls = (tool: string, ...subjects: string[]): EventBody[] =>
      subjects.flatMap((subject) => {
        const callId = id();
        return [
          { type: "call", messageId: "m2", callId, tool, subject },
          { type: "call-done", callId, outcome: "done" },
        ] satisfies EventBody[];
      });
    host.emit(
      { type: "message", message: asked },
      ...calls("read_file", "a.ts", "b.ts", "neko.txt"),
      ...calls("replace_in_file", "neko.txt"),
      ...calls("execute_command", "npm test"),
      text("The cat is renamed in `neko.txt`; all tests pass."),
      { type: "checkpoint", checkpoint: { id: asked.id, kind: "message", at: asked.id, files: 4 } },
      { type: "status", status: "idle" },
    );
  },
  error: (host) =>
    host.emit(
      ...working(),
      {
        type: "error",
        id: id(),
        error: {
          code: "bad-key",
          subject: "api.example.com",
          detail: "401 Incorrect API key provided: sk-1***",
        },
      },
      { type: "notice", id: id(), code: "stopped" },
      {
        type: "error",
        id: id(),
        error: { code: "unreachable", subject: "http://127.0.0.1:8080/v1", detail: "ECONNREFUSED" },
      },
    ),
};
