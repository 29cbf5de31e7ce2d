/** One session that an editor works on. It is a stored session like any other; this is what the editor does with it. */

import { PromptFailure } from "../core/context/server-prompts.ts";
import { Interrupt, messageOf } from "../core/errors.ts";
import { DisposableStore } from "../core/lifecycle.ts";
import type { RunEnd } from "../core/loop/run-end.ts";
import type { ApprovalView, TaskEvent } from "../shared/event.ts";
import type { Attachment } from "../shared/protocol.ts";
import { rowsOf } from "../shared/view/reducer.ts";
import { visible } from "../shared/visible.ts";
import { slashCommandText } from "../shared/words/command-words.ts";
import { promptFailureText } from "../shared/words/notice-words.ts";
import type { AcpParts } from "./acp-parts.ts";
import { replay } from "./replay.ts";
import type { CallReport, Decision, EditorClient, PromptEnd, Report } from "./reports.ts";
import type { Seat } from "./seat/open-seat.ts";
import { SessionChoices } from "./session-choices.ts";
import { SessionReporter } from "./session-reporter.ts";

export interface EditorSessionDeps {
  /** As the editor knows the session, also if the agent continues it in a new task. */
  id: string;
  cwd: string;
  seat: Seat;
  parts: AcpParts;
  editor: EditorClient;
}

/** Codes of failures that another key solves. */
const KEY_FAILURES: ReadonlySet<string> = new Set([
  "no-key",
  "bad-key",
  "unusable-key",
  "key-of-another",
  "no-endpoint",
  "no-model",
]);

export class EditorSession {
  readonly id: string;
  readonly cwd: string;
  readonly choices: SessionChoices;
  readonly #deps: EditorSessionDeps;
  readonly #reporter: SessionReporter;
  readonly #disposables = new DisposableStore();
  /** Commands and tools that the user rejects for the rest of the session. */
  readonly #rejected = new Set<string>();
  /** What servers were reported not to start. */
  readonly #reported = new Set<string>();
  readonly #closing = new AbortController();
  /** Aborts what the editor is asked, when the work that asks is stopped. */
  #asking = new AbortController();
  #shownCommands = "";

  constructor(deps: EditorSessionDeps) {
    const { seat, parts, editor } = deps;
    this.#deps = deps;
    this.id = deps.id;
    this.cwd = deps.cwd;
    this.choices = new SessionChoices(seat, parts);
    this.#reporter = this.#disposables.add(
      new SessionReporter({
        seat,
        parts,
        asks: editor.asks,
        report: (report) => this.#report(report),
        onApproval: (callId, call) => void this.#decide(callId, call),
      }),
    );
    this.#disposables.add(seat.manager.onEvent((event) => this.#follow(event)));
    this.#disposables.add(seat.servers.onChange(() => void this.#offerCommands()));
  }

  #report(report: Report): void {
    this.#deps.editor.report(this.id, report);
  }

  /** Opens the stored session. `elsewhere`: another process works on it. Rejects if there is none. */
  async open(id: string, { withHistory }: { withHistory: boolean }): Promise<{ elsewhere?: boolean }> {
    const { seat, parts } = this.#deps;
    this.#reporter.hold();
    try {
      const opened = await seat.proposals.during(() => seat.manager.open(id, { takeOver: parts.takeOver }));
      if (opened.elsewhere) return opened;
      if (withHistory) await this.replay();
      return {};
    } finally {
      this.#reporter.release();
    }
  }

  /** Reports everything from the beginning of the session. */
  async replay(): Promise<void> {
    const { seat, parts, editor } = this.#deps;
    await replay({ seat, parts, asks: editor.asks, report: (report) => this.#report(report) });
    this.#reporter.reportUsage();
  }

  /** After the editor knows the session: what it can choose there. */
  async introduce(): Promise<void> {
    const { signal } = this.#closing;
    await Promise.all([this.#offerCommands(), this.choices.listModels(signal)]);
    if (!signal.aborted) this.#report({ type: "choices", choices: this.choices.current });
  }

  async prompt(text: string, images: readonly Attachment[]): Promise<PromptEnd> {
    await this.#reportServers();
    let next: string | undefined = text;
    let attached = images;
    for (;;) {
      this.#reporter.failure = undefined;
      const end: RunEnd["type"] | undefined = await this.#turn(next, attached);
      await this.#reporter.settled();
      if (end === undefined) return { type: "failed", text: this.#unsent ?? "", key: false };
      next = end === "asked" ? await this.#answer() : undefined;
      if (next === undefined) return this.#ended(end);
      attached = [];
    }
  }

  /** Why the last message was not sent. */
  #unsent: string | undefined;

  /** undefined: the message was not sent. */
  async #turn(text: string, images: readonly Attachment[]): Promise<RunEnd["type"] | undefined> {
    const { seat, parts } = this.#deps;
    const { manager } = seat;
    try {
      await seat.proposals.during(() => manager.send(text, [...images]));
    } catch (error) {
      if (error instanceof Interrupt) return "stopped";
      this.#unsent =
        error instanceof PromptFailure ? visible(promptFailureText(parts.t, error)) : messageOf(error);
      return undefined;
    }
    // A task that was handed over continues as the next one, and so do queued messages.
    let end: RunEnd["type"] | undefined = "replied";
    for (let ended = await manager.idle; ended !== undefined; ended = await manager.idle) end = ended;
    return end;
  }

  #ended(end: RunEnd["type"]): PromptEnd {
    const { parts } = this.#deps;
    const { failure } = this.#reporter;
    if (end === "stopped") return { type: "cancelled" };
    if (end === "limit") return { type: "limit" };
    if (end !== "failed") return { type: "done" };
    const { code, detail } = failure ?? { code: "internal" as const, detail: undefined };
    const words = parts.errorText(failure ?? { code });
    const text = detail === undefined ? words : `${words}\n${visible(detail)}`;
    return { type: "failed", text, key: KEY_FAILURES.has(code) };
  }

  /** The user's answer to the question that ended the turn; undefined: their next message is the answer. */
  async #answer(): Promise<string | undefined> {
    const { editor, seat, parts } = this.#deps;
    const asked = rowsOf(seat.manager.view).findLast((row) => row.kind === "call");
    if (!editor.asks || asked?.kind !== "call") return undefined;
    const { text: message, options = [] } = asked;
    try {
      return await editor.question(this.id, { message, options }, this.#asking.signal);
    } catch (error) {
      parts.log.error("the editor did not show the question", error);
      return undefined;
    }
  }

  async cancel(): Promise<void> {
    this.#asking.abort();
    this.#asking = new AbortController();
    await this.#deps.seat.manager.stop();
  }

  #follow(event: TaskEvent): void {
    if (event.type === "form") void this.#askForm(event);
    if (event.type === "mode" || event.type === "model" || event.type === "permission")
      this.#report({ type: "choices", choices: this.choices.current });
  }

  async #decide(callId: string, call: CallReport): Promise<void> {
    const { seat, editor, parts } = this.#deps;
    const { manager } = seat;
    const row = rowsOf(manager.view).findLast(({ id }) => id === callId);
    const always = row?.kind === "call" ? row.approval?.always : undefined;
    if (always !== undefined && this.#rejected.has(always)) {
      manager.reject(callId);
      return;
    }
    const decisions = this.#decisions(always);
    const { signal } = this.#asking;
    let decision: Decision | undefined;
    try {
      decision = await editor.permission(this.id, { call, decisions }, signal);
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      parts.log.error("the editor did not ask for permission, so the call was rejected", error);
      decision = "reject";
    }
    if (this.#closing.signal.aborted) return;
    // The answer to a request that is no longer there changes nothing: the call does not wait anymore.
    if (decision === undefined) return void this.#stopIfWaiting(callId);
    if (decision === "reject-session" && always !== undefined) this.#rejected.add(always);
    if (decision === "reject" || decision === "reject-session") manager.reject(callId);
    else {
      const allow = SCOPES[decision];
      manager.approve(callId, undefined, allow ? { allow } : {});
    }
  }

  /** The user cancelled the question, and with it the turn. */
  async #stopIfWaiting(callId: string): Promise<void> {
    const { manager } = this.#deps.seat;
    if (manager.waitingCalls.first === callId) await manager.stop();
  }

  /** Only what the approval offers can be stored. The narrowest scope comes first. */
  #decisions(always: ApprovalView["always"]): { decision: Decision; title: string }[] {
    const { t } = this.#deps.parts;
    const what = always === undefined ? "" : visible(always).replaceAll("\n", "⏎");
    const more: { decision: Decision; title: string }[] =
      always === undefined
        ? []
        : [
            { decision: "allow-session", title: t("Allow {0} in this session", what) },
            { decision: "allow-workspace", title: t("Allow {0} in this project", what) },
            { decision: "allow-always", title: t("Always allow {0}", what) },
          ];
    return [
      { decision: "allow", title: t("Allow") },
      ...more,
      { decision: "reject", title: t("Reject") },
      ...(always === undefined
        ? []
        : [{ decision: "reject-session" as const, title: t("Reject {0} in this session", what) }]),
    ];
  }

  async #askForm({ callId, form }: Extract<TaskEvent, { type: "form" }>): Promise<void> {
    if (!form) return;
    const { editor, seat, parts } = this.#deps;
    const { serverForms } = seat.manager;
    try {
      const answer = await editor.form(this.id, callId, form, this.#asking.signal);
      if (!answer) {
        const text = parts.t(
          "The MCP server {0} asked a question that this editor cannot show: {1}",
          form.server,
          form.message,
        );
        this.#report({ type: "notice", severity: "warning", text: visible(text) });
      }
      serverForms.answer(form.id, answer ?? { action: "cancel" });
    } catch (error) {
      if (!this.#closing.signal.aborted) parts.log.error("the editor did not show the form", error);
      serverForms.answer(form.id, { action: "cancel" });
    }
  }

  async #offerCommands(): Promise<void> {
    const { seat, parts } = this.#deps;
    try {
      const commands = await seat.manager.slashCommands();
      const listed = commands.map(({ name, description, args }) => ({
        name,
        description: slashCommandText(parts.t, name) || description || name,
        ...(args === undefined ? {} : { input: args }),
      }));
      const shown = JSON.stringify(listed);
      if (shown === this.#shownCommands || this.#closing.signal.aborted) return;
      this.#shownCommands = shown;
      this.#report({ type: "commands", commands: listed });
    } catch (error) {
      parts.log.error("the slash commands were not listed", error);
    }
  }

  /** A project's servers start only after the user's yes, which takes a terminal. */
  async #reportServers(): Promise<void> {
    const { seat, parts } = this.#deps;
    await seat.servers.tryLoad();
    for (const { server, trust } of seat.servers.all) {
      const { name, definition } = server;
      const key = JSON.stringify([name, trust.content]);
      if (trust.content === undefined || definition.disabled || this.#reported.has(key)) continue;
      this.#reported.add(key);
      const text = parts.t(
        "The project's MCP server {0} does not start without your approval. To approve it: {1}",
        name,
        `nekode mcp add --project ${name}`,
      );
      this.#report({ type: "notice", severity: "warning", text });
    }
  }

  /** Stops all work; resolves when everything is on disk and all processes have ended. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#asking.abort();
    this.#disposables.dispose();
    await this.#deps.seat.close();
  }
}

const SCOPES: Partial<Record<Decision, "session" | "workspace" | "always">> = {
  "allow-session": "session",
  "allow-workspace": "workspace",
  "allow-always": "always",
};
