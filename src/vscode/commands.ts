/** The commands that the panel's header, the palette and the keyboard share. */
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../core/lifecycle.ts";
import type { Shell } from "../core/ports.ts";
import { rowsOf } from "../shared/view.ts";
import { endBackgroundCommands } from "./background-commands.ts";
import type { Agent } from "./bridge.ts";
import { type Config, openSettings } from "./config.ts";
import { leaving } from "./leaving.ts";
import type { Sidebar } from "./sidebar.ts";

/** What commands act on. */
export interface CommandParts {
  sidebar: Sidebar;
  config: Config;
  agent(): Promise<Agent>;
  /** The shell that runs the agent's commands; undefined: none has run yet. */
  shell(): Shell | undefined;
}

export function registerCommands({ sidebar, config, agent, shell }: CommandParts): Disposable {
  const store = new DisposableStore();
  const command = (name: string, run: (argument: unknown) => Promise<unknown>) =>
    store.add(vscode.commands.registerCommand(`nekode.${name}`, run));

  command("focus", async () => {
    await sidebar.focus();
    sidebar.notify("composer/focus", {});
  });
  command("newTask", async () => {
    await sidebar.focus();
    const running = await agent();
    await leaving(
      running,
      () => running.newTask(),
      ({ text, images }) => sidebar.notify("composer/insert", { text, images: [...images] }),
    );
    sidebar.notify("composer/focus", {});
  });
  command("stop", async () => (await agent()).stop());
  command("approve", async () => answer(await agent(), "approve"));
  command("reject", async () => answer(await agent(), "reject"));
  command("toggleMode", async () => {
    const running = await agent();
    await running.setMode(running.view.mode === "plan" ? "act" : "plan");
  });
  command("history", async () => {
    await sidebar.focus();
    sidebar.notify("history/show", {});
  });
  command("rules", async () => {
    await sidebar.focus();
    sidebar.notify("rules/show", {});
  });
  command("endCommands", () => endBackgroundCommands(shell()));
  command("settings", (query) => openSettings(typeof query === "string" ? query : undefined));
  command("setApiKey", () => config.askKey());
  return store;
}

/** Answers the call that has waited longest. */
function answer(agent: Agent, verdict: "approve" | "reject"): void {
  const row = rowsOf(agent.view).find(
    (candidate) => candidate.kind === "call" && candidate.state === "approval",
  );
  if (row) agent[verdict](row.id);
}

/** Keeps the context keys of keybindings and menus true to what the agent is doing. */
export function trackContextKeys(agent: Agent): Disposable {
  const keys = new Map<string, boolean>();
  const set = (key: string, value: boolean) => {
    if (keys.get(key) === value) return;
    keys.set(key, value);
    vscode.commands.executeCommand("setContext", `nekode.${key}`, value);
  };
  const update = () => {
    set("running", agent.view.status !== "idle");
    set("pendingApproval", agent.view.status === "approval");
  };
  update();
  return agent.onEvent((event) => {
    if (event.type === "status" || event.type === "session") update();
  });
}
