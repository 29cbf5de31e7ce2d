/** The commands that the panel's header, the palette and the keyboard share. */
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";
import type { Shell } from "../../core/ports/shell.ts";
import type { ApprovalView } from "../../shared/event.ts";
import { type CallRow, type ChatView, rowsOf } from "../../shared/view/reducer.ts";
import { needsUser } from "../../shared/view/session-item.ts";
import { translator } from "../../shared/words/task-words.ts";
import { followActive } from "../attention/active-session.ts";
import { PREVIEW_SCHEME } from "../editor/open-documents.ts";
import { type Config, openSettings } from "../editor-settings.ts";
import { resolveInWorkspace } from "../files/workspace-folders.ts";
import { endBackgroundCommands } from "../terminal/background-commands.ts";
import { manageAllowed } from "./allowed-commands.ts";
import { switching } from "./leaving.ts";
import { moveView } from "./move-view.ts";
import type { Panels } from "./panels.ts";
import type { Agent } from "./requests/agent-port.ts";

/** The objects that the commands act on. */
export interface CommandParts {
  panels: Panels;
  config: Config;
  agent(): Promise<Agent>;
  askSearchKey(): Promise<void>;
  showHealth(): Promise<void>;
  /** Reviews the worktree of the task on screen; or one that the user chooses. */
  reviewWorktree(): Promise<void>;
  chooseWorktree(): Promise<void>;
  /** Shows a text in an editor, read-only. */
  showText(name: string, text: string): Promise<void>;
  /** The shell that runs the agent's commands; undefined: none has run yet. */
  shell(): Shell | undefined;
  /** The change that this preview document proposes; undefined: the proposal is incomplete or closed. */
  proposed(uri: vscode.Uri): Proposed | undefined;
}

/** A file, and the session that proposes to change it. */
interface Proposed {
  path: string;
  session: string | undefined;
}

/** Milliseconds for which a message stays in the status bar. */
const SAID_MS = 5_000;

export function registerCommands({
  panels,
  config,
  agent,
  askSearchKey,
  showHealth,
  reviewWorktree,
  chooseWorktree,
  showText,
  shell,
  proposed,
}: CommandParts): Disposable {
  const store = new DisposableStore();
  const command = (name: string, run: (argument: unknown) => Promise<unknown>) =>
    store.add(vscode.commands.registerCommand(`nekode.${name}`, run));

  /** Makes another session active, and continues in the composer. */
  const leave = async (running: Agent, work: () => Promise<unknown>) => {
    await switching(running, work, ({ text, images }) =>
      panels.notify("composer/insert", { text, images: [...images] }),
    );
    panels.notify("composer/focus", {});
  };

  command("focus", async () => {
    await panels.focus();
    panels.notify("composer/focus", {});
  });
  // From the status bar and notifications: what is being done elsewhere keeps the focus.
  command("show", () => panels.show("editor"));
  command("newTask", async () => {
    await panels.focus();
    const running = await agent();
    await leave(running, () => running.newTask({ keep: true }));
  });
  command("newTaskInWorktree", async () => {
    await panels.focus();
    const running = await agent();
    await leave(running, async () => {
      await running.newTask({ keep: true });
      await running.worktrees.setBegins(true);
    });
  });
  command("reviewWorktree", reviewWorktree);
  command("worktrees", chooseWorktree);
  command("openInEditor", async () => panels.openInEditor());
  command("moveToSideBar", async () => {
    await moveView("sideBar");
    panels.closeTabs();
    await panels.focus();
  });
  command("moveToSecondarySideBar", async () => {
    panels.closeTabs();
    await moveView("secondarySideBar");
  });
  command("stop", async () => (await agent()).stop());
  // From the title of a diff: only the change shown there.
  const answerTo = (verdict: "approve" | "reject") => async (clicked: unknown) => {
    const running = await agent();
    const uri = clicked instanceof vscode.Uri && clicked.scheme === PREVIEW_SCHEME ? clicked : undefined;
    const answered = uri ? answerShown(running, verdict, proposed(uri)) : answer(running, verdict);
    if (answered) return;
    void vscode.window.showInformationMessage(vscode.l10n.t("This change is not waiting for approval."));
  };
  command("approve", answerTo("approve"));
  command("reject", answerTo("reject"));
  command("toggleMode", async () => {
    const running = await agent();
    const mode = running.view.mode === "plan" ? "act" : "plan";
    await running.setMode(mode);
    // The panel may be hidden.
    const said =
      mode === "plan"
        ? vscode.l10n.t("Plan mode: nothing is changed.")
        : vscode.l10n.t("Act mode: changes are made with your approval.");
    vscode.window.setStatusBarMessage(said, SAID_MS);
  });
  /** `id`: from a notification; absent: the task that waits first. */
  command("showWaiting", async (id) => {
    const running = await agent();
    const next = running.together.overview.all.find(
      (item) => item.id !== running.sessionId && (id === undefined ? needsUser(item) : item.id === id),
    );
    await panels.focus();
    if (next) await leave(running, () => running.open(next.id, { keep: true }));
    else if (id === undefined)
      void vscode.window.showInformationMessage(vscode.l10n.t("No other task is waiting for you."));
  });
  command("history", async () => {
    await panels.focus();
    panels.notify("history/show", {});
  });
  command("find", async () => {
    await panels.focus();
    panels.notify("find/show", {});
  });
  command("openAnswer", async () => {
    const answer = (await agent()).texts.answer(translator(vscode.l10n.bundle ?? {}));
    if (answer) await showText(answer.name, answer.text);
    else void vscode.window.showInformationMessage(vscode.l10n.t("There is no answer yet."));
  });
  command("rules", async () => {
    await panels.focus();
    panels.notify("rules/show", {});
  });
  command("servers", async () => {
    await panels.focus();
    panels.notify("servers/show", {});
  });
  command("selectModel", async () => {
    await panels.focus();
    panels.notify("models/show", {});
  });
  command("allowedCommands", async () => manageAllowed((await agent()).allowances));
  command("selectPermission", async () => {
    await panels.focus();
    panels.notify("permission/show", {});
  });
  command("health", showHealth);
  command("endCommands", () => endBackgroundCommands(shell()));
  command("settings", (query) => openSettings(typeof query === "string" ? query : undefined));
  command("setApiKey", () => config.askKey());
  command("setSearchKey", askSearchKey);
  return store;
}

type Verdict = "approve" | "reject";

/** Answers the active session's call that has waited longest. False: none waits. */
export function answer(agent: Pick<Agent, "view" | Verdict>, verdict: Verdict): boolean {
  const row = waitingCalls(agent.view)[0];
  return row !== undefined && agent[verdict](row.id);
}

/**
 * Answers the call whose proposal is shown, of whichever session: only that one, although another session may propose to change
 * the same file. False: it does not wait.
 */
export function answerShown(
  { together }: Pick<Agent, "together">,
  verdict: Verdict,
  shown: Proposed | undefined,
): boolean {
  if (shown?.session === undefined) return false;
  const view = together.find(shown.session)?.view;
  const row =
    view &&
    waitingCalls(view).find(({ approval }) => changes(approval, shown.path, view.session?.worktree?.root));
  return row !== undefined && together.decide(shown.session, row.id, verdict === "approve");
}

const waitingCalls = (view: ChatView): CallRow[] =>
  rowsOf(view).filter((row): row is CallRow => row.kind === "call" && row.state === "approval");

/** The approval is for this file. */
function changes(approval: ApprovalView | undefined, file: string, folder: string | undefined): boolean {
  const named = [approval?.path, ...(approval?.files ?? []).map(({ path }) => path)];
  return named.some((name) => name !== undefined && (resolveInWorkspace(name, folder) ?? name) === file);
}

/** Keeps the context keys of keybindings and menus in sync with the agent's state. */
export function trackContextKeys(agent: Agent): Disposable {
  const { overview } = agent.together;
  const keys = new Map<string, boolean>();
  const set = (key: string, value: boolean) => {
    if (keys.get(key) === value) return;
    keys.set(key, value);
    vscode.commands.executeCommand("setContext", `nekode.${key}`, value);
  };
  const update = () => {
    set("running", agent.view.status !== "idle");
    set("pendingApproval", agent.view.status === "approval");
    set(
      "othersWait",
      overview.all.some((item) => item.id !== agent.sessionId && needsUser(item)),
    );
    // Of any task: its proposal may be in front.
    set(
      "anyApproval",
      overview.all.some(({ state }) => state === "approval"),
    );
  };
  update();
  const store = new DisposableStore();
  store.add(
    followActive(agent, ({ type }) => {
      if (type === "status" || type === "session" || type === "switched") update();
    }),
  );
  store.add(overview.onChange(update));
  return store;
}
