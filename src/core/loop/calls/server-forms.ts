/** Questions of MCP servers that wait for the user's answer. Only `answer` can accept one. */
import type { FormAnswer, ServerForm } from "../../../shared/server-form.ts";
import type { Host } from "../../ports/host.ts";
import type { Transcript } from "../transcript.ts";

interface WaitingForm {
  form: ServerForm;
  settle(answer: FormAnswer): void;
}

export interface ServerFormsDeps {
  host: Pick<Host, "newId">;
  conversation: Pick<Transcript, "emit">;
}

export class ServerForms {
  readonly #deps: ServerFormsDeps;
  readonly #waiting = new Map<string, WaitingForm>();

  constructor(deps: ServerFormsDeps) {
    this.#deps = deps;
  }

  /** Shows the question in the call's row. Resolves with the user's answer; with "cancel" when `signal` aborts. */
  ask(callId: string, asked: Omit<ServerForm, "id">, signal: AbortSignal): Promise<FormAnswer> {
    const { conversation, host } = this.#deps;
    if (signal.aborted) return Promise.resolve({ action: "cancel" });
    const form: ServerForm = { ...asked, id: host.newId() };
    return new Promise((resolve) => {
      const settle = (answer: FormAnswer) => {
        this.#waiting.delete(form.id);
        signal.removeEventListener("abort", onAbort);
        conversation.emit({ type: "form", callId });
        conversation.emit({ type: "status", status: this.#waiting.size > 0 ? "approval" : "running" });
        resolve(answer);
      };
      const onAbort = () => settle({ action: "cancel" });
      this.#waiting.set(form.id, { form, settle });
      signal.addEventListener("abort", onAbort, { once: true });
      conversation.emit({ type: "form", callId, form });
      conversation.emit({ type: "status", status: "approval" });
    });
  }

  /** False if no such question waits: it was answered elsewhere, withdrawn, or never asked. */
  answer(id: string, answer: FormAnswer): boolean {
    const waiting = this.#waiting.get(id);
    waiting?.settle(answer);
    return waiting !== undefined;
  }

  /** The questions that wait, the oldest first. */
  get waiting(): readonly ServerForm[] {
    return [...this.#waiting.values()].map(({ form }) => form);
  }
}
