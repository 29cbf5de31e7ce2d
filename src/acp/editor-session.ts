/** One session that an editor works on: a stored session like any other, and what the editor does with it. */

import { PromptFailure } from "../core/context/server-prompts.ts";
import { Interrupt, messageOf } from "../core/errors.ts";
import { DisposableStore } from "../core/lifecycle.ts";
import type { RunEnd } from "../core/loop/loop.ts";
import { NotSaved } from "../core/sessions/problems.ts";
import type { TaskEvent } from "../shared/event.ts";
import type { Attachment } from "../shared/protocol.ts";
import type { SlashCommand } from "../shared/rule-list.ts";
import { rowsOf } from "../shared/view/reducer.ts";
import { visible } from "../shared/visible.ts";
import { slashCommandText } from "../shared/words/command-words.ts";
import { errorDetail } from "../shared/words/error-words.ts";
import { promptFailureText } from "../shared/words/notice-words.ts";
import { notSavedText } from "../shared/words/task-words.ts";
import type { AcpParts } from "./acp-parts.ts";
import { ownCommand } from "./own-commands.ts";
import type { EditorProject } from "./project/open-editor-project.ts";
import { replay } from "./replay.ts";
import type { EditorClient, PromptEnd, Report } from "./reports.ts";
import { SessionApprovals } from "./session-approvals.ts";
import { SessionChoices } from "./session-choices.ts";
import { SessionReporter } from "./session-reporter.ts";
import { SessionWarnings } from "./session-warnings.ts";

export interface EditorSessionDeps {
  /** The id that the editor uses, even after the agent has continued the session in a new task. */
  id: string;
  cwd: string;
  editorProject: EditorProject;
  parts: AcpParts;
  editor: EditorClient;
}

/** Codes of failures that another key or connection solves. */
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
  readonly #warnings: SessionWarnings;
  readonly #closing = new AbortController();
  /** Aborts questions to the editor when the work that asks them is stopped. */
  #asking = new AbortController();
  #shownCommands = "";

  constructor(deps: EditorSessionDeps) {
    const { editorProject, parts, editor } = deps;
    this.#deps = deps;
    this.id = deps.id;
    this.cwd = deps.cwd;
    this.choices = new SessionChoices(editorProject, parts);
    this.#warnings = new SessionWarnings({
      editorProject,
      t: parts.t,
      report: (report) => this.#report(report),
    });
    const approvals = new SessionApprovals({
      id: deps.id,
      view: editorProject.view,
      editor,
      parts,
      asking: () => this.#asking.signal,
      closing: this.#closing.signal,
    });
    this.#reporter = this.#disposables.add(
      new SessionReporter({
        editorProject,
        parts,
        asks: editor.asks,
        report: (report) => this.#report(report),
        onApproval: (callId, call) => this.#run("an approval", approvals.decide(callId, call)),
      }),
    );
    this.#disposables.add(editorProject.project.onEvent((event) => this.#follow(event)));
    this.#disposables.add(
      editorProject.servers.onChange(() => {
        this.#warnings.servers();
        this.#run("the list of slash commands", this.#offerCommands());
      }),
    );
  }

  /** Logs the failure of work that nobody waits for. */
  #run(what: string, work: Promise<void>): void {
    work.catch((error: unknown) => this.#deps.parts.log.error(`${what} failed`, error));
  }

  #report(report: Report): void {
    this.#deps.editor.report(this.id, report);
  }

  /** Opens the stored session. `elsewhere`: another process works on it. Rejects if there is none. */
  async open(id: string, { withHistory }: { withHistory: boolean }): Promise<{ elsewhere?: boolean }> {
    const { editorProject, parts } = this.#deps;
    this.#reporter.pause();
    try {
      const opened = await editorProject.proposals.during(() =>
        editorProject.view.open(id, { takeOver: parts.takeOver }),
      );
      if (opened.elsewhere) return opened;
      if (withHistory) await this.#replay();
      return {};
    } finally {
      this.#reporter.resume();
    }
  }

  /** A sentence that says which other project has the session; undefined: none has it. */
  async otherPlace(id: string): Promise<string | undefined> {
    const { editorProject, parts } = this.#deps;
    const other = await editorProject.project.library.other(id);
    if (!other) return undefined;
    const { folder, name } = other.project;
    return parts.t("Session {0} belongs to another project: {1}", id, folder ?? name);
  }

  /** Reports everything from the beginning of the session. What happens meanwhile follows. */
  async replay(): Promise<void> {
    this.#reporter.pause();
    try {
      await this.#replay();
    } finally {
      this.#reporter.resume();
    }
  }

  async #replay(): Promise<void> {
    const { editorProject, parts, editor } = this.#deps;
    await replay({
      editorProject,
      parts,
      asks: editor.asks,
      report: (report) => this.#report(report),
      onSnapshot: () => this.#reporter.replayed(),
    });
    this.#reporter.reportUsage();
  }

  /** Reports what can be chosen, after the response that opened the session. */
  async introduce(): Promise<void> {
    const { signal } = this.#closing;
    await Promise.all([this.#offerCommands(), this.choices.listModels(signal)]);
    if (!signal.aborted) this.#report({ type: "choices", choices: this.choices.current });
  }

  async prompt(text: string, images: readonly Attachment[]): Promise<PromptEnd> {
    const { editorProject, parts } = this.#deps;
    const answer = await ownCommand(text, editorProject, this.choices, parts);
    if (answer !== undefined) {
      this.#report({ type: "said", by: "agent", message: editorProject.host.newId(), text: visible(answer) });
      return { type: "done" };
    }
    await this.#warnings.setup();
    let next: string | undefined = text;
    let attached = images;
    for (;;) {
      this.#reporter.failure = undefined;
      const end: RunEnd["type"] | undefined = await this.#turn(next, attached);
      if (end === "stopped") this.#reporter.drop();
      else await this.#reporter.settled();
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
    const { editorProject } = this.#deps;
    const { view } = editorProject;
    try {
      await editorProject.proposals.during(() => view.send(text, [...images]));
    } catch (error) {
      if (error instanceof Interrupt) return "stopped";
      this.#unsent = this.#whyNotSent(error);
      return undefined;
    }
    // A task that was handed over continues as the next one, and so do queued messages.
    let end: RunEnd["type"] | undefined = "replied";
    for (let ended = await view.active.idle; ended !== undefined; ended = await view.active.idle)
      end = ended.type;
    return end;
  }

  #whyNotSent(error: unknown): string {
    const { t } = this.#deps.parts;
    if (error instanceof PromptFailure) return visible(promptFailureText(t, error));
    return error instanceof NotSaved ? `${notSavedText(t)} (${error.message})` : messageOf(error);
  }

  #ended(end: RunEnd["type"]): PromptEnd {
    const { parts } = this.#deps;
    const { failure } = this.#reporter;
    if (end === "stopped") return { type: "cancelled" };
    if (end === "limit") return { type: "limit" };
    if (end !== "failed") return { type: "done" };
    if (failure?.code === "answer-cut") return { type: "cut" };
    const error = failure ?? { code: "internal" as const };
    const words = parts.errorText(error);
    const detail = errorDetail(error);
    const text = detail === "" ? words : `${words}\n${visible(detail)}`;
    return { type: "failed", text, key: KEY_FAILURES.has(error.code) };
  }

  /** The user's answer to the question that ended the turn; undefined: their next message is the answer. */
  async #answer(): Promise<string | undefined> {
    const { editor, editorProject, parts } = this.#deps;
    const question = rowsOf(editorProject.view.active.chatView).findLast((row) => row.kind === "call");
    if (!editor.asks || question?.kind !== "call") return undefined;
    const { text: message, options = [] } = question;
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
    await this.#deps.editorProject.view.stop();
  }

  #follow(event: TaskEvent): void {
    if (event.type === "form") this.#run("a form", this.#askForm(event));
    if (event.type === "mode" || event.type === "model" || event.type === "permission")
      this.#report({ type: "choices", choices: this.choices.current });
  }

  async #askForm({ callId, form }: Extract<TaskEvent, { type: "form" }>): Promise<void> {
    if (!form) return;
    const { editor, editorProject, parts } = this.#deps;
    const { serverForms } = editorProject.view.active;
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
    const { editorProject, parts } = this.#deps;
    const own = ["help", "model"].map((name): SlashCommand => ({ name, kind: "command", description: "" }));
    const commands = [...own, ...(await editorProject.project.slashCommands())];
    const listed = commands.map((command) => ({
      name: command.name,
      description: slashCommandText(parts.t, command) || command.name,
      ...(command.args === undefined ? {} : { input: command.args }),
    }));
    const shown = JSON.stringify(listed);
    if (shown === this.#shownCommands || this.#closing.signal.aborted) return;
    this.#shownCommands = shown;
    this.#report({ type: "commands", commands: listed });
  }

  /** Stops all work; resolves when everything is on disk and all processes have ended. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#asking.abort();
    this.#disposables.dispose();
    await this.#deps.editorProject.close();
  }
}
