/** MCP servers in a run of the terminal host: approvals before a turn, failures, and questions that servers ask. */
import { messageOf } from "../../core/errors.ts";
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";
import type { ProjectServers } from "../../core/servers/project-servers.ts";
import type { ConfigProblem } from "../../core/servers/server-types.ts";
import type { TaskEvent } from "../../shared/event.ts";
import type { FormAnswer } from "../../shared/server-form.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import { oneLine } from "../screen.ts";
import type { Terminal } from "../terminal.ts";
import { answerForm } from "./answer-form.ts";
import {
  type AskedTrust,
  askTrust,
  failureLines,
  howToApprove,
  problemLine,
  trustLines,
} from "./server-lines.ts";

/** Problems that change nothing about what runs; `nekode mcp list` names them too. */
const HARMLESS = new Set<ConfigProblem["reason"]["code"]>([
  "unknown-key",
  "server-hidden",
  "server-renamed",
  "server-repeated",
  "project-approves-tools",
]);

export interface RunServersParts {
  servers: ProjectServers;
  /** Answers a question of a server; false if it no longer waits. */
  answer(formId: string, answer: FormAnswer): boolean;
  /** undefined: there is nobody to ask. */
  terminal: Terminal | undefined;
  err(text: string): void;
  t: Translate;
  signal: AbortSignal;
}

export class RunServers implements Disposable {
  readonly #parts: RunServersParts;
  readonly #disposables = new DisposableStore();
  /** Questions and messages that were already shown and are not repeated in this run. */
  readonly #printed = new Set<string>();
  /** Questions on the terminal, by call. */
  readonly #questions = new Map<string, AbortController>();

  constructor(parts: RunServersParts) {
    this.#parts = parts;
    this.#disposables.add(parts.servers.onChange(() => this.#reportFailures()));
  }

  dispose(): void {
    this.#disposables.dispose();
    for (const question of this.#questions.values()) question.abort();
  }

  /**
   * Asks for the approval of projects' servers that have none, until `signal` aborts. A server that the user rejects does not
   * start in this run.
   */
  async beforeTurn(signal: AbortSignal): Promise<void> {
    const { servers, err, t } = this.#parts;
    try {
      await servers.load();
    } catch (error) {
      err(`nekode: ${t("The list of MCP servers could not be read: {0}", oneLine(messageOf(error)))}\n`);
      return;
    }
    for (const problem of servers.problems)
      if (!HARMLESS.has(problem.reason.code)) this.#sayOnce(`nekode: ${problemLine(problem, t)}\n`);
    for (const { server, trust } of servers.all) {
      const { content, before } = trust;
      if (content === undefined || server.definition.disabled) continue;
      const key = JSON.stringify([server.name, content]);
      if (this.#printed.has(key)) continue;
      this.#printed.add(key);
      const asked: AskedTrust =
        before === undefined ? { state: "new", content } : { state: "changed", content, before };
      await this.#approve(server.name, asked, trustLines(server.definition, asked, t), signal);
      if (signal.aborted) return;
    }
  }

  async #approve(name: string, asked: AskedTrust, lines: string, signal: AbortSignal): Promise<void> {
    const { servers, terminal, err, t } = this.#parts;
    if (!terminal) {
      err(`nekode: ${howToApprove(name, t)}`);
      return;
    }
    err(lines);
    try {
      if (await askTrust(terminal, t, signal)) await servers.trust(name, asked.content);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  #reportFailures(): void {
    const { servers, t } = this.#parts;
    for (const { server } of servers.all) {
      const { name, state, failure } = server;
      if ((state === "failed" || state === "managed") && failure)
        this.#sayOnce(`nekode: ${failureLines(name, failure, t)}\n`);
      if (state === "sign-in")
        this.#sayOnce(`nekode: ${t("{0} requires you to sign in: {1}", name, `nekode mcp login ${name}`)}\n`);
    }
  }

  #sayOnce(text: string): void {
    if (this.#printed.has(text)) return;
    this.#printed.add(text);
    this.#parts.err(text);
  }

  /** Asks the user a server's question, and withdraws it when the server no longer needs the answer. */
  onEvent(event: TaskEvent): void {
    if (event.type !== "form") return;
    const { callId, form } = event;
    this.#questions.get(callId)?.abort();
    this.#questions.delete(callId);
    if (!form) return;
    const { terminal, answer, err, t, signal } = this.#parts;
    if (!terminal) {
      err(
        `nekode: ${t("The MCP server {0} asked a question, but there is no terminal to ask on.", oneLine(form.server))}\n`,
      );
      answer(form.id, { action: "cancel" });
      return;
    }
    const withdrawn = new AbortController();
    this.#questions.set(callId, withdrawn);
    const either = AbortSignal.any([signal, withdrawn.signal]);
    answerForm(form, { terminal, err, t, signal: either }).then(
      (given) => answer(form.id, given),
      (error: unknown) => {
        if (either.aborted) return;
        err(`nekode: ${oneLine(messageOf(error))}\n`);
        answer(form.id, { action: "cancel" });
      },
    );
  }
}
