/** The commands that the panel's header, the palette and the keyboard share. */

import * as vscode from "vscode";
import type { Project } from "../../core/agent/project.ts";
import type { Session } from "../../core/agent/session.ts";
import type { View } from "../../core/agent/view.ts";
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";
import type { Shell } from "../../core/ports/shell.ts";
import type { ApprovalView } from "../../shared/event.ts";
import { unreachable } from "../../shared/unreachable.ts";
import { excludesEverything } from "../../shared/view/hunk-choice.ts";
import { type CallRow, type ChatView, rowsOf } from "../../shared/view/reducer.ts";
import { needsUser } from "../../shared/view/session-item.ts";
import { translator } from "../../shared/words/task-words.ts";
import { followActive } from "../attention/active-session.ts";
import type { EditHere } from "../editor/edit-here.ts";
import { PREVIEW_SCHEME } from "../editor/open-documents.ts";
import { type Config, openSettings } from "../editor-settings.ts";
import { resolveInWorkspace } from "../files/workspace-folders.ts";
import { endBackgroundCommands } from "../terminal/background-commands.ts";
import { manageAllowed } from "./allowed-commands.ts";
import { switching, type UnsentMessage } from "./leaving.ts";
import { moveView } from "./move-view.ts";
import type { Panels } from "./panels.ts";
import type { ProjectView } from "./requests/context.ts";

/** The objects that the commands act on. */
export interface CommandParts {
  panels: Panels;
  config: Config;
  /** Writes a commit message into the Source Control view. `target`: what the button there passes. */
  writeCommitMessage(target: unknown): Promise<void>;
  editHere: { get(): Promise<{ editHere: EditHere }>; readonly current: { editHere: EditHere } | undefined };
  /** Reviews what is not committed, in the view's session. `target`: as for `writeCommitMessage`. */
  review(view: View, target: unknown): Promise<void>;
  /** Shows in an editor what the agent reads and edits, or ends that. */
  follow(on: boolean): Promise<void>;
  askSearchKey(): Promise<void>;
  /** Helps to install the terminal host. */
  installCommand(): Promise<void>;
  copyReport(): Promise<void>;
  /** Reviews the worktree of the view's session, or one that the user chooses. */
  reviewWorktree(view: View): Promise<void>;
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

/** The commands in the title bar of the view. There, they apply to the view, even if the user was in a tab before. */
const IN_VIEW = ["newTask", "history", "rules", "servers", "openInEditor"];

/** The screens that cover the conversation; each has a command of its name. */
const SCREENS = ["history", "rules", "servers", "hooks", "plugins", "memory", "tools", "health"] as const;

/** Milliseconds for which a message stays in the status bar. */
const MESSAGE_MS = 5_000;

export function registerCommands({
  panels,
  config,
  writeCommitMessage,
  editHere,
  review,
  follow,
  askSearchKey,
  installCommand,
  copyReport,
  reviewWorktree,
  chooseWorktree,
  showText,
  shell,
  proposed,
}: CommandParts): Disposable {
  const store = new DisposableStore();
  const command = (name: string, run: (argument: unknown) => Promise<unknown>) =>
    store.add(
      vscode.commands.registerCommand(`nekode.${name}`, (argument: unknown) => {
        // A button in the title of a tab passes its URI, and does not move the focus there.
        if (argument instanceof vscode.Uri && argument.scheme === "webview-panel") panels.enterTab();
        return run(argument);
      }),
    );

  const viewInUse = async () => (await panels.panelView.get()).view;
  /** Makes another session active, and continues in the composer. */
  const leave = async (view: View, work: () => Promise<unknown>) => {
    await switching(view, work, ({ text, images }) =>
      panels.notify("composer/insert", { text, images: [...images] }),
    );
    panels.notify("composer/focus", {});
  };

  command("focus", async () => {
    await panels.focus();
    panels.notify("composer/focus", {});
  });
  // For the status bar and notifications: the focus stays where the user works.
  command("show", () => panels.show("editor"));
  command("newTask", async () => {
    await panels.focus();
    const view = await viewInUse();
    await leave(view, () => view.newTask({ keep: true }));
  });
  command("newTaskInWorktree", async () => {
    await panels.focus();
    const view = await viewInUse();
    await leave(view, async () => {
      await view.newTask({ keep: true });
      await view.setBeginsInWorktree(true);
    });
  });
  command("reviewWorktree", async () => reviewWorktree(await viewInUse()));
  command("worktrees", chooseWorktree);
  command("openInEditor", () => panels.openInEditor());
  for (const name of IN_VIEW)
    command(`view.${name}`, async () => {
      panels.enterView();
      await vscode.commands.executeCommand(`nekode.${name}`);
    });
  command("moveToSideBar", async () => {
    const { tab } = panels;
    await moveView("sideBar");
    panels.enterView();
    if (tab) await moveToView(tab, panels);
    await panels.focus();
  });
  // Does not move the focus, because a view that gets the focus closes the question that VS Code may ask.
  command("moveToSecondarySideBar", async () => {
    panels.enterView();
    await moveView("secondarySideBar");
  });
  command("stop", async () => (await viewInUse()).stop());
  // In the title of a diff, the command answers only the change that is shown there.
  const answerTo = (verdict: "approve" | "reject") => async (clicked: unknown) => {
    if (clicked instanceof vscode.Uri && editHere.current?.editHere.shows(clicked))
      return editHere.current.editHere.answer(verdict);
    const { project, view } = await panels.panelView.get();
    const uri = clicked instanceof vscode.Uri && clicked.scheme === PREVIEW_SCHEME ? clicked : undefined;
    const outcome = uri
      ? answerShown(project, verdict, proposed(uri))
      : answerWaitingCall(view.active, verdict);
    switch (outcome) {
      case "answered":
        return;
      case "not-waiting":
        void vscode.window.showInformationMessage(vscode.l10n.t("This change is not waiting for approval."));
        return;
      case "nothing-taken":
        void vscode.window.showInformationMessage(
          vscode.l10n.t("You excluded all of this change. Select what to write, or reject it."),
        );
        return;
      default:
        unreachable(outcome);
    }
  };
  command("approve", answerTo("approve"));
  command("reject", answerTo("reject"));
  command("follow", () => follow(true));
  command("unfollow", () => follow(false));
  command("editHere", async () => (await editHere.get()).editHere.start());
  command("editHere.accept", async () => editHere.current?.editHere.answer("approve"));
  command("editHere.reject", async () => editHere.current?.editHere.answer("reject"));
  /** `wish`: of a change that failed. */
  command("editHere.continue", async (wish) => {
    const text = typeof wish === "string" ? wish : await editHere.current?.editHere.takeToChat();
    if (text === undefined) return;
    await panels.focus();
    panels.notify("composer/insert", { text });
    panels.notify("composer/focus", {});
  });
  command("toggleMode", async () => {
    const view = await viewInUse();
    const mode = view.active.chatView.mode === "plan" ? "act" : "plan";
    await (await view.settled()).setMode(mode);
    // The panel may be hidden.
    const text =
      mode === "plan"
        ? vscode.l10n.t("Plan mode: nothing is changed.")
        : vscode.l10n.t("Act mode: changes are made with your approval.");
    vscode.window.setStatusBarMessage(text, MESSAGE_MS);
  });
  /** `id`: from a notification; absent: the task that waits first. */
  command("showWaiting", async (id) => {
    const { project, view } = await panels.panelView.get();
    const next = project.overview.all.find(
      (item) => item.id !== view.active.id && (id === undefined ? needsUser(item) : item.id === id),
    );
    if (next && (await panels.reveal(next.id))) return panels.notify("composer/focus", {});
    await panels.focus();
    if (next) await leave(view, () => view.open(next.id, { keep: true }));
    else if (id === undefined)
      void vscode.window.showInformationMessage(vscode.l10n.t("No other task is waiting for you."));
  });
  command("find", async () => {
    await panels.focus();
    panels.notify("find/show", {});
  });
  command("openAnswer", async () => {
    const answer = (await viewInUse()).active.texts.answer(translator(vscode.l10n.bundle ?? {}));
    if (answer) await showText(answer.name, answer.text);
    else void vscode.window.showInformationMessage(vscode.l10n.t("There is no answer yet."));
  });
  for (const screen of SCREENS)
    command(screen, async () => {
      await panels.focus();
      panels.notify(`${screen}/show`, {});
    });
  command("selectModel", async () => {
    await panels.focus();
    panels.notify("models/show", {});
  });
  command("allowedCommands", async () => manageAllowed((await viewInUse()).active.approvals.allowances));
  command("selectPermission", async () => {
    await panels.focus();
    panels.notify("permission/show", {});
  });
  command("endCommands", () => endBackgroundCommands(shell()));
  command("settings", (query) => openSettings(typeof query === "string" ? query : undefined));
  command("setApiKey", () => config.askKey());
  command("setSearchKey", askSearchKey);
  command("installCommand", installCommand);
  command("copyReport", copyReport);
  command("commitMessage", writeCommitMessage);
  command("review", async (target) => {
    await panels.show("editor");
    await review(await viewInUse(), target);
  });
  return store;
}

/** Moves the tab's session and unsent text to the view, and closes the tab. */
async function moveToView(tab: NonNullable<Panels["tab"]>, panels: Panels): Promise<void> {
  const [from, to] = [await tab.panelView.get(), await panels.panelView.get()];
  if (from.view.active.id !== to.view.active.id) {
    const insert = ({ text, images }: UnsentMessage) =>
      panels.notify("composer/insert", { text, images: [...images] });
    const open = () => to.view.open(from.view.active.id, { keep: true });
    await switching(to.view, open, insert);
    if (!from.drafts.isEmpty) insert({ text: "", images: [], ...from.drafts.current });
    from.drafts.keep({ text: "", after: "", at: Date.now(), images: [] });
  }
  tab.close();
}

type Verdict = "approve" | "reject";

/** The answers that the user prepared in the cards of waiting calls. */
type PreparedAnswers = Pick<Session["approvals"], "prepared">;

/** `nothing-taken`: the user excluded everything in the card, so there is nothing to approve. */
export type Outcome = "answered" | "not-waiting" | "nothing-taken";

/** Answers the active session's call that has waited longest, with the answer that the user prepared in its card. */
export function answerWaitingCall(
  session: Pick<Session, "chatView" | Verdict> & { readonly approvals: PreparedAnswers },
  verdict: Verdict,
): Outcome {
  const row = waitingCalls(session.chatView)[0];
  if (row && approvesNothing(session.approvals, row, verdict)) return "nothing-taken";
  return row !== undefined && session[verdict](row.id) ? "answered" : "not-waiting";
}

/**
 * Answers the call whose proposal is shown, whichever session it belongs to. Another session may propose to change the same file;
 * its call is not answered.
 */
export function answerShown(
  project: {
    find(id: string): (Pick<Session, "chatView"> & { readonly approvals: PreparedAnswers }) | undefined;
    decide: Project["decide"];
  },
  verdict: Verdict,
  shown: Proposed | undefined,
): Outcome {
  const session = shown?.session === undefined ? undefined : project.find(shown.session);
  if (shown?.session === undefined || !session) return "not-waiting";
  const { chatView, approvals } = session;
  const row = waitingCalls(chatView).find(({ approval }) =>
    changes(approval, shown.path, chatView.session?.worktree?.root),
  );
  if (row && approvesNothing(approvals, row, verdict)) return "nothing-taken";
  const isDecided = row !== undefined && project.decide(shown.session, row.id, verdict === "approve");
  return isDecided ? "answered" : "not-waiting";
}

const approvesNothing = (calls: PreparedAnswers, { id, approval }: CallRow, verdict: Verdict): boolean =>
  verdict === "approve" && excludesEverything(approval, calls.prepared(id));

const waitingCalls = (view: ChatView): CallRow[] =>
  rowsOf(view).filter((row): row is CallRow => row.kind === "call" && row.state === "approval");

/** Whether the approval is for this file. */
function changes(approval: ApprovalView | undefined, file: string, folder: string | undefined): boolean {
  const named = [approval?.path, ...(approval?.files ?? []).map(({ path }) => path)];
  return named.some((name) => name !== undefined && (resolveInWorkspace(name, folder) ?? name) === file);
}

/** Keeps the context keys of keybindings and menus in sync with the state of the view in use, once it is open. */
export function trackContextKeys(panels: Pick<Panels, "panelView" | "onView">): Disposable {
  const store = new DisposableStore();
  const keys = new Map<string, boolean>();
  const set = (key: string, value: boolean) => {
    if (keys.get(key) === value) return;
    keys.set(key, value);
    vscode.commands.executeCommand("setContext", `nekode.${key}`, value);
  };
  let shown: View | undefined;
  let following: Disposable | undefined;
  const update = ({ project, view }: ProjectView) => {
    const { all } = project.overview;
    const { id, chatView } = view.active;
    set("running", chatView.status !== "idle");
    set("pendingApproval", chatView.status === "approval");
    set(
      "othersWait",
      all.some((item) => item.id !== id && needsUser(item)),
    );
    // Any task counts, because the diff of any proposal may be in front.
    set(
      "anyApproval",
      all.some(({ state }) => state === "approval"),
    );
  };
  const follow = () => {
    const { current } = panels.panelView;
    if (current?.view === shown) return;
    shown = current?.view;
    following?.dispose();
    following = undefined;
    if (!current) return;
    const followed = new DisposableStore();
    following = followed;
    followed.add(
      followActive(current.view, ({ type }) => {
        if (type === "status" || type === "session" || type === "switched") update(current);
      }),
    );
    followed.add(current.project.overview.onChange(() => update(current)));
    update(current);
  };
  store.add(panels.onView(follow));
  store.add({ dispose: () => following?.dispose() });
  follow();
  return store;
}
