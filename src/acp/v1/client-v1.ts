/** The editor at the other end of a connection of version 1. */
import type {
  AgentConnection,
  AgentContext,
  ClientCapabilities,
  PermissionOptionKind,
} from "@agentclientprotocol/sdk";
import type { FormAnswer, ServerForm } from "../../shared/server-form.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import * as z from "../../shared/zod.ts";
import type * as AcpSdk from "../acp-sdk.ts";
import type { EditorClient, PermissionAnswer, Question, Report } from "../reports.ts";
import { questionAnswer, questionForm, serverFormAnswer, serverFormRequest } from "./forms-v1.ts";
import { callFieldsV1, SessionUpdatesV1 } from "./updates-v1.ts";

const PERMISSION_KINDS: Readonly<Record<PermissionAnswer, PermissionOptionKind>> = {
  allow: "allow_once",
  "allow-session": "allow_always",
  "allow-workspace": "allow_always",
  "allow-always": "allow_always",
  reject: "reject_once",
  "reject-session": "reject_always",
};

const outcomeSchema = z.object({
  outcome: z.discriminatedUnion("outcome", [
    z.object({ outcome: z.literal("cancelled") }),
    z.object({ outcome: z.literal("selected"), optionId: z.string() }),
  ]),
});

export class ClientV1 implements EditorClient {
  readonly #sdk: typeof AcpSdk;
  readonly #t: Translate;
  readonly #updates = new Map<string, SessionUpdatesV1>();
  #connection: AgentConnection | undefined;
  #capabilities: ClientCapabilities = {};

  constructor(sdk: typeof AcpSdk, t: Translate) {
    this.#sdk = sdk;
    this.#t = t;
  }

  connect(connection: AgentConnection): void {
    this.#connection = connection;
  }

  get gone(): AbortSignal {
    return this.#connection?.signal ?? AbortSignal.abort();
  }

  initialize(capabilities: ClientCapabilities | undefined): void {
    this.#capabilities = capabilities ?? {};
  }

  get asks(): boolean {
    return Boolean(this.#capabilities.elicitation?.form);
  }

  get signsInOnTerminal(): boolean {
    return this.#capabilities.auth?.terminal === true;
  }

  report(session: string, report: Report): void {
    for (const update of this.#updatesOf(session).of(report)) {
      // Messages are sent in the order of the calls. Sending fails only after the connection has closed, which ends all sessions.
      this.#connection?.client
        .notify(this.#sdk.methods.client.session.update, { sessionId: session, update })
        .catch(() => undefined);
    }
  }

  /** Call before the history of the session is reported from its beginning. */
  restart(session: string): void {
    this.#updatesOf(session).restart();
  }

  forget(session: string): void {
    this.#updates.delete(session);
  }

  async permission(
    sessionId: string,
    { call, decisions }: Parameters<EditorClient["permission"]>[1],
    signal: AbortSignal,
  ): Promise<PermissionAnswer | undefined> {
    const answer: unknown = await this.#request(signal, (client, options) =>
      client.request(
        this.#sdk.methods.client.session.requestPermission,
        {
          sessionId,
          toolCall: callFieldsV1(call),
          options: decisions.map(({ decision, title }) => ({
            optionId: decision,
            name: title,
            kind: PERMISSION_KINDS[decision],
          })),
        },
        options,
      ),
    );
    if (answer === undefined) return undefined;
    const { outcome } = outcomeSchema.parse(answer);
    if (outcome.outcome === "cancelled") return undefined;
    const chosen = decisions.find(({ decision }) => decision === outcome.optionId);
    if (!chosen) throw new Error(`there is no option ${JSON.stringify(outcome.optionId)}`);
    return chosen.decision;
  }

  async question(session: string, question: Question, signal: AbortSignal): Promise<string | undefined> {
    return questionAnswer(await this.#elicit(questionForm(session, question, this.#t), signal));
  }

  async form(
    session: string,
    callId: string,
    form: ServerForm,
    signal: AbortSignal,
  ): Promise<FormAnswer | undefined> {
    const { elicitation } = this.#capabilities;
    const isShown = form.ask.type === "address" ? elicitation?.url : elicitation?.form;
    if (!isShown) return undefined;
    const request = serverFormRequest(session, callId, form, this.#t);
    return serverFormAnswer(await this.#elicit(request, signal), form);
  }

  #elicit(request: ReturnType<typeof questionForm>, signal: AbortSignal): Promise<unknown> {
    return this.#request(signal, (client, options) =>
      client.request(this.#sdk.methods.client.elicitation.create, request, options),
    );
  }

  /** undefined: `signal` aborted. */
  async #request<T>(
    signal: AbortSignal,
    send: (
      client: AgentContext,
      options: { cancellationSignal: AbortSignal; stopWaitingOnCancel: true },
    ) => Promise<T>,
  ): Promise<T | undefined> {
    if (!this.#connection) throw new Error("the editor is not connected");
    if (signal.aborted) return undefined;
    try {
      return await send(this.#connection.client, { cancellationSignal: signal, stopWaitingOnCancel: true });
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  #updatesOf(session: string): SessionUpdatesV1 {
    const known = this.#updates.get(session);
    if (known) return known;
    const notices = Boolean(this.#capabilities.session?.notices);
    const updates = new SessionUpdatesV1({ notices, t: this.#t });
    this.#updates.set(session, updates);
    return updates;
  }
}
