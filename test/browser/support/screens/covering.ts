/** The first page, the screens that cover the conversation, and the setup. */

import { connectionProblem } from "../../../../src/shared/models/connection-problem.ts";
import type { SessionSummary } from "../../../../src/shared/protocol.ts";
import { type FakeHost, READY_SETUP } from "../fake-host.ts";
import {
  someForeignSessions,
  someForeignSettings,
  someHealth,
  someHooks,
  someMemory,
  somePlugins,
  someRules,
  someServers,
  someTools,
} from "../fixtures.ts";
import { someModels, withModels } from "../some-models.ts";
import { host, page, showScreen } from "../suite.ts";
import { by, press, type ShownScreen, talk, type } from "./screen.ts";

const HOUR = 3_600_000;
const summary = (
  id: string,
  title: string,
  hours: number,
  more: Partial<SessionSummary> = {},
): SessionSummary => {
  const at = new Date(Date.now() - hours * HOUR).toISOString();
  return { id, title, startedAt: at, updatedAt: at, messageCount: 12, cost: 0, tokens: 14_900, ...more };
};
const sessions = (): SessionSummary[] => [
  summary("a", "Add a sentence to neko.txt", 1, { favourite: true, cost: 0.0123 }),
  summary("b", "「猫は液体である」を追加してください。".repeat(3), 3, { elsewhere: true }),
  summary("c", "Why does the build fail?", 30, { forkOf: { id: "a", title: "Add a sentence" } }),
  summary("d", "Rename every cat in the repository, and the tests with them", 24 * 40, {
    excerpt: "…the Neko sat here, and the neko slept there…",
  }),
];
const withSessions = (host: FakeHost): void => {
  host.sessions = sessions();
};
/** A task with those that it started, one of them on the day before. */
const withStarted = (host: FakeHost): void => {
  const title = "Move all prices to one place, in the shop, the API and the reports";
  const [first, ...others] = sessions();
  const children = [
    summary("f", "Find every place where an order is priced, in all packages", 25, { cost: 0.0123 }),
    summary("g", "猫を犬にする", 2, { favourite: true, elsewhere: true }),
    summary("h", "Look at the tests", 2),
  ].map((child) => ({ ...child, parent: { id: "e", title } }));
  const parent = summary("e", title, 2, { cost: 0.0456, children });
  host.sessions = [...(first ? [first] : []), parent, ...others];
};
const withOtherAgents = (host: FakeHost): void => {
  host.foreign = ({ settings }) => (settings ? someForeignSettings : someForeignSessions);
};
const withServers = (host: FakeHost): void => {
  host.servers = someServers;
};

/** A screen that covers the conversation. */
const covering = (
  name: "history" | "rules" | "servers" | "hooks" | "plugins" | "memory" | "tools" | "health",
  has: string,
  prepare: (host: FakeHost) => void,
  act: () => Promise<void> = async () => {},
): ShownScreen => ({
  host: prepare,
  has,
  act: async () => {
    showScreen(name);
    await page.locator(".history, .screen").first().waitFor();
    await act();
  },
});

const setUp = (has: string, act: () => Promise<void>): ShownScreen => ({
  host(host) {
    host.setup = { ...READY_SETUP, models: { act: "" }, connections: [] };
    host.found = [
      { preset: "ollama", baseUrl: "http://127.0.0.1:11434/v1", models: ["qwen3:8b", "gpt-oss:20b"] },
      {
        preset: "vllm",
        baseUrl: "http://127.0.0.1:8000/v1",
        models: ["org/model-with-a-long-name-awq-int4"],
      },
    ];
    host.adding = ({ preset }) =>
      preset === "openai"
        ? {
            models: [],
            problem: connectionProblem("key-of-another", "Anthropic", {
              fix: { type: "preset", preset: "anthropic" },
            }),
          }
        : { name: preset, models: someModels.openai?.models ?? [] };
  },
  act,
  has,
});
const enterKey = async (): Promise<void> => {
  await press("maker-openai");
  await page.getByTestId("set-up-key").fill("sk-ant-1");
  await page.keyboard.press("Enter");
  await page.getByTestId("connection-fix").waitFor();
};

export const coveringScreens: Readonly<Record<string, ShownScreen>> = {
  welcome: {
    host(host) {
      withSessions(host);
      host.examples = [
        { code: "write-tests", value: "src/cats.js" },
        { code: "write-tests", value: "src/components/deeply/nested/folder/dogs.test.js" },
      ];
    },
    has: by("recent-task"),
  },
  "welcome-no-folder": {
    host(host) {
      host.setup = { ...READY_SETUP, hasWorkspace: false };
    },
    has: by("open-folder"),
  },
  "welcome-untrusted": {
    host(host) {
      host.setup = { ...READY_SETUP, trusted: false };
    },
    has: ".empty-note",
  },
  demonstration: {
    host(host) {
      withSessions(host);
      host.setup = { ...READY_SETUP, demonstration: "llamacpp" };
    },
    has: by("scene-edit"),
  },
  "demonstration-note": talk(
    by("demonstration-note"),
    () => [{ type: "status", status: "idle" }],
    undefined,
    (host) => {
      host.setup = { ...READY_SETUP, demonstration: "llamacpp" };
    },
  ),
  "task-here": {
    host(host) {
      withSessions(host);
      const project = { key: "p", name: "cats", folder: "/home/me/projects/cats" };
      host.setup = { ...READY_SETUP, taskHere: { id: "a", title: "Fix the cat", project, isOpen: true } };
    },
    has: by("task-here-note"),
  },
  history: covering("history", by("history-item"), withSessions),
  "history-started": covering("history", by("history-started"), withStarted),
  "history-unfolded": covering("history", ".history-children", withStarted, () => press("history-started")),
  "history-search": covering("history", "mark", withSessions, async () => {
    await page.getByTestId("history-search").fill("neko");
  }),
  "history-actions": covering("history", by("history-delete"), withSessions, () => press("history-more")),
  "history-renamed": covering("history", ".history-actions vscode-text-field", withSessions, async () => {
    await press("history-more");
    await press("history-rename");
  }),
  "history-elsewhere": covering("history", by("take-over"), withSessions, () => press("history-item", 1)),
  "history-deleted": covering("history", by("history-undo"), withSessions, async () => {
    await press("history-more");
    await press("history-delete");
  }),
  "history-none": covering("history", ".history-none", () => {}),
  "other-agents": covering("history", by("left-setting"), withOtherAgents, async () => {
    await press("history-menu");
    await press("other-agents-open");
    await press("left-settings");
    await page.locator("[data-testid=setting-proposal] .fold-line").first().click();
  }),
  "other-agents-none": covering(
    "history",
    by("foreign-settings"),
    () => {},
    async () => {
      await press("history-menu");
      await press("other-agents-open");
    },
  ),
  rules: covering("rules", by("definition"), (host) => {
    host.rules = someRules;
  }),
  "rules-none": covering("rules", "h2", () => {}),
  hooks: covering("hooks", by("hook-approval"), (host) => {
    host.hooks = someHooks;
  }),
  plugins: covering("plugins", by("plugin-preview"), (host) => {
    host.plugins = somePlugins;
  }),
  "plugins-none": covering("plugins", by("add-plugin"), () => {}),
  tools: covering("tools", by("tool-group"), (host) => {
    host.tools = someTools;
  }),
  health: covering("health", by("measurement"), (host) => {
    host.health = someHealth;
  }),
  memory: covering("memory", by("memory-note"), (host) => {
    host.memory = someMemory;
  }),
  "memory-clear": covering(
    "memory",
    by("memory-note"),
    (host) => {
      host.memory = { ...someMemory, on: false };
    },
    () => press("clear-memory"),
  ),
  "memory-none": covering("memory", by("memory-list"), () => {}),
  servers: covering("servers", by("server-item"), withServers),
  "servers-open": covering("servers", by("server-tool"), withServers, async () => {
    for (const at of [0, 3]) await page.getByTestId("server-item").nth(at).locator(".server-head").click();
  }),
  "servers-add": covering("servers", by("add-server-form"), withServers, () => press("add-server")),
  "servers-gallery": covering(
    "servers",
    by("gallery-server"),
    (host) => {
      host.gallery = {
        source: "https://example.com/v0/servers",
        servers: [
          {
            name: "io.github.a/weather",
            title: "Weather",
            description: "Forecasts for every city",
            text: "{}",
          },
          { name: "io.github.b/notes", title: "Notes", description: "Keeps notes. ".repeat(12), text: "{}" },
        ],
      };
    },
    async () => {
      await press("add-server");
      await press("browse-servers");
    },
  ),
  "servers-none": covering("servers", "h2", () => {}),
  "set-up": setUp(by("find-local"), async () => {}),
  "set-up-address": setUp(by("set-up-address"), () => press("maker-azure")),
  "set-up-problem": setUp(by("connection-fix"), enterKey),
  "set-up-models": setUp(by("model-option"), async () => {
    await enterKey();
    await press("connection-fix");
    await press("set-up-continue");
  }),
  "set-up-none": {
    ...setUp(by("set-up-address"), () => press("find-local")),
    host(host) {
      host.setup = { ...READY_SETUP, models: { act: "" }, connections: [] };
    },
  },
  "set-up-found": setUp(by("model-option"), () => press("find-local")),
  help: {
    host: () => {},
    has: by("help-command"),
    act: async () => {
      await type("/help");
      await page.keyboard.press("Enter");
    },
  },
  connections: {
    host: withModels,
    has: by("connection"),
    act: async () => {
      await press("model-picker");
      await press("add-connection");
    },
  },
  problem: {
    host(host) {
      host.failing.set("chat/send", "the agent is gone");
    },
    has: "[role=alert]",
    act: async () => {
      await page.getByTestId("chat-input").fill("hello");
      await page.keyboard.press("Enter");
    },
  },
  unreachable: {
    host(host) {
      host.failing.set("chat/open", "no agent");
    },
    has: ".problem vscode-button",
    act: async () => {
      void host;
    },
  },
};
