import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { environmentDetails } from "../../src/core/context/environment.ts";
import { estimateTokens } from "../../src/core/context/tokens.ts";
import { readCallable } from "../../src/core/instructions/catalogue.ts";
import { readRules } from "../../src/core/instructions/rules.ts";
import type { Host } from "../../src/core/ports/host.ts";
import { requestMessages, totalTokens, windowState } from "../../src/core/window/request-messages.ts";
import { shorten } from "../../src/core/window/shorten.ts";
import { nodeFiles } from "../../src/node/files/disk-files.ts";
import { createSearch } from "../../src/node/search/ripgrep-search.ts";
import { findMentions } from "../../src/shared/mentions.ts";
import type { Message } from "../../src/shared/message.ts";
import { defaultSettings } from "../../src/shared/settings.ts";
import { emptyView } from "../../src/shared/view/reducer.ts";
import { memoryHost } from "../support/memory-host.ts";
import { type Bench, scan } from "./bench.ts";

const CREATED_AT = "2026-01-01T00:00:00.000Z";

/** Turns of three messages each: a call, its result of about 1,000 characters, and the details. */
export function conversation(count: number): Message[] {
  const result = "const value = read(path); // この行は値を読み込む\n".repeat(25);
  const messages: Message[] = [
    {
      id: "m0",
      role: "user",
      createdAt: CREATED_AT,
      blocks: [{ type: "text", text: "<task>\nfix it\n</task>" }],
    },
  ];
  for (let n = 0; messages.length < count; n++) {
    const params = { path: `src/file${n % 50}.ts` };
    const callId = `call${n}`;
    const parts = [{ type: "text" as const, text: result }];
    messages.push(
      {
        id: `a${n}`,
        role: "assistant",
        createdAt: CREATED_AT,
        blocks: [{ type: "tool-call", id: callId, name: "read_file", params }],
      },
      {
        id: `t${n}`,
        role: "tool",
        createdAt: CREATED_AT,
        blocks: [
          { type: "tool-result", callId, name: "read_file", label: "read_file", outcome: "done", parts },
        ],
      },
      {
        id: `u${n}`,
        role: "user",
        createdAt: CREATED_AT,
        blocks: [{ type: "text", text: "# Current Mode\nACT MODE", source: "context" }],
      },
    );
  }
  return messages;
}

const CAP = 8_000;
const long = conversation(5_000);
const copies: Message[][] = [];
const text = "Text with a mention of @/src/core/index.ts, user@example.com and `@/code.ts` in it. ".repeat(
  2_000,
);
const code = "export function read(path: string): Promise<string> { return files.get(path) ?? ''; }\n".repeat(
  1_000,
);

function makeRoom(messages: Message[], goal: number): void {
  const state = windowState(messages);
  const sent = totalTokens(requestMessages(messages, state, CAP));
  if (sent > goal) shorten({ messages, state, goal, protect: goal / 5, cap: CAP }, false);
}

let large: Promise<Host> | undefined;

/** A host whose workspace is a real folder of 100,000 files, made when it is first asked for. */
async function largeWorkspace(): Promise<Host> {
  const root = mkdtempSync(path.join(os.tmpdir(), "nekode-bench-"));
  process.on("exit", () => rmSync(root, { recursive: true, force: true }));
  for (let folder = 0; folder < 500; folder++) {
    const name = path.join(root, `folder${folder}`);
    mkdirSync(name);
    for (let file = 0; file < 200; file++) writeFileSync(path.join(name, `file${file}.ts`), "");
  }
  const { host } = memoryHost();
  const workspace = { root, roots: [{ name: "large", path: root }], trusted: true };
  return { ...host, workspace, search: createSearch({ roots: [root], near: [process.cwd()] }) };
}

async function details(): Promise<void> {
  large ??= largeWorkspace();
  const { signal } = new AbortController();
  const mode = "act" as const;
  const { totals } = emptyView;
  await environmentDetails({
    host: await large,
    first: true,
    mode,
    totals,
    maxFiles: 200,
    contextWindow: 128_000,
    signal,
  });
}

let listed: Awaited<ReturnType<typeof readRules>>["listed"];

async function rules(): Promise<void> {
  large ??= largeWorkspace();
  const { signal } = new AbortController();
  listed ??= (await readRules(await large, defaultSettings.context, signal)).listed;
  await readRules(await large, defaultSettings.context, signal, listed);
}

let manySkills: Host | undefined;

/** A host on the disk whose project has 500 skills and 200 commands. */
function hostWithSkills(): Host {
  const root = mkdtempSync(path.join(os.tmpdir(), "nekode-bench-"));
  process.on("exit", () => rmSync(root, { recursive: true, force: true }));
  const body = "Read the files that the task names, and then do what this line says.\n".repeat(60);
  const write = (name: string, front: string) => {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), `---\n${front}\n---\n\n${body}`);
  };
  const description =
    "Does one kind of work well. Use it when the user asks for that work, or for something like it";
  for (let n = 0; n < 500; n++)
    write(`.claude/skills/skill-${n}/SKILL.md`, `name: skill-${n}\ndescription: ${description} (${n}).`);
  for (let n = 0; n < 200; n++)
    write(`.claude/commands/command-${n}.md`, `description: ${description}, ${n}.`);
  const { host } = memoryHost();
  const workspace = { root, roots: [{ name: "skills", path: root }], trusted: true };
  return { ...host, workspace, files: nodeFiles, system: { ...host.system, home: path.join(root, "home") } };
}

async function skills(): Promise<void> {
  manySkills ??= hostWithSkills();
  await readCallable(manySkills, defaultSettings.context, new AbortController().signal);
}

export const benches: Bench[] = [
  {
    name: "500 skills and 200 commands read as a task starts",
    target: "< 30 ms",
    run: skills,
    baseline: () => void scan([code]),
  },
  {
    name: "first environment details, 100,000 files on the disk",
    target: "< 50 ms",
    run: details,
    baseline: () => void scan([code]),
  },
  {
    name: "rules looked at as the user speaks, 100,000 files on the disk",
    target: "",
    run: rules,
    baseline: () => void scan([code]),
  },
  {
    name: "window fitting, 5,000 messages, room to be made, seen before",
    target: "< 20 ms",
    run: () => makeRoom(long, 100_000),
    baseline: () => void scan([code]),
  },
  {
    name: "window fitting, 5,000 messages, all new to it",
    target: "< 20 ms",
    run: () => makeRoom(copies.pop() ?? conversation(5_000), 100_000),
    baseline: () => void scan([code]),
  },
  {
    name: "token estimate, 86 KB of code",
    target: "",
    run: () => void estimateTokens(code),
    baseline: () => void scan([code]),
  },
  {
    name: "mentions, 170 KB of prose with 2,000 of them",
    target: "",
    run: () => void findMentions(text),
    baseline: () => void scan([text]),
  },
];
for (let n = 0; n < 60; n++) copies.push(structuredClone(long));
