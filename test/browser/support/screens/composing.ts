/** What opens over the composer and under it, and what is in it. */

import type { EventBody } from "../../../../src/shared/event.ts";
import { LEVEL_ACCESS } from "../../../../src/shared/permission/levels.ts";
import type { FakeHost } from "../fake-host.ts";
import { someCommands, someFiles, someResources } from "../fixtures.ts";
import { withModels } from "../some-models.ts";
import { host, page } from "../suite.ts";
import { by, press, type ShownScreen, talk, type } from "./screen.ts";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
const image = { mimeType: "image/png", data: PIXEL };

const TOTALS: EventBody = {
  type: "totals",
  totals: {
    requests: 11,
    inputTokens: 252_000,
    outputTokens: 9_800,
    cachedTokens: 189_000,
    contextTokens: 64_000,
    contextWindow: 128_000,
    cost: 0.42,
    prefixBreaks: [{ cause: "tools", count: 2, tokens: 9_000, cost: 0.02 }],
  },
};
const idle: EventBody = { type: "status", status: "idle" };

/** A composer with all that it can have. */
const withAll = (host: FakeHost): void => {
  withModels(host);
  host.commands = someCommands;
  host.resources = someResources;
  host.find = async () => someFiles;
  host.symbols = [
    { mention: "@/src/cat.ts#Cat", path: "src/cat.ts", name: "Cat", line: 1 },
    { mention: "@/src/cat.ts#Cat.meow", path: "src/cat.ts", name: "Cat.meow", line: 3 },
  ];
};
const opened = (has: string, act: () => Promise<void>): ShownScreen =>
  talk(has, () => [TOTALS, idle], act, withAll);

const queue: EventBody = {
  type: "queue",
  items: [
    { id: "one", text: "そのあとテストも書いてください" },
    { id: "two", text: "Then commit it, with a message that says why it was done" },
    { id: "three", text: "And push" },
  ],
};
const queued = (has: string, act?: () => Promise<void>): ShownScreen =>
  talk(has, () => [{ type: "status", status: "streaming" }, queue], act);

export const composingScreens: Readonly<Record<string, ShownScreen>> = {
  mentions: opened(by("mention-option"), () => type("see @")),
  symbols: opened(by("mention-option"), () => type("explain #")),
  slash: opened(by("slash-option"), () => type("/")),
  chips: {
    ...opened(by("mention-chip"), () =>
      type('@/neko.txt と @"/my notes/猫のメモ.md" と @problems @https://example.com/a/b を見て。'),
    ),
    host(host) {
      withAll(host);
      host.current = { path: "src/cats.js", lines: { start: 1, end: 4 }, included: true };
      host.draft = { text: "", after: "", at: 1, images: [image, image] };
    },
  },
  "current-file-off": {
    host(host) {
      host.current = { path: `src/${"long-name-".repeat(6)}cats.js`, included: false };
    },
    has: by("current-file"),
  },
  permissions: opened(by("permission-option"), () => press("permission-picker")),
  "permissions-open": opened(by("permission-class"), async () => {
    await press("permission-picker");
    await press("permission-details");
  }),
  "permissions-all": talk(
    "[data-open=true]",
    () => [{ type: "permission", permission: { classes: LEVEL_ACCESS.all, exceptions: {} } }],
    undefined,
    withAll,
  ),
  agents: opened(by("agent-option"), () => press("agent-picker")),
  handoffs: talk(
    by("handoff"),
    () => [
      { type: "mode", mode: "act", agent: "security-reviewer-of-the-shop" },
      { type: "status", status: "idle" },
    ],
    undefined,
    (host) => {
      withAll(host);
      host.agents.handoffs = [
        "Fix the findings",
        "見つかった問題をすべて直して、テストを追加する",
        "Start",
      ].map((label) => ({ label, agent: "act", prompt: "Fix it.", send: false }));
    },
  ),
  context: opened(by("window-part"), () => press("context-meter")),
  models: opened(by("connection-problem"), () => press("model-picker")),
  queue: queued(by("queue-item"), () => page.getByTestId("queue-item").first().hover()),
  "queue-edited": queued(by("queue-text"), async () => {
    await page.getByTestId("queue-item").nth(1).hover();
    await press("queue-edit", 1);
  }),
  sending: {
    host(host) {
      host.taking = new Promise(() => {});
    },
    has: ".sending",
    act: async () => {
      await type("Make the cat louder");
      await page.keyboard.press("Enter");
      await host.called("chat/send");
    },
  },
};
