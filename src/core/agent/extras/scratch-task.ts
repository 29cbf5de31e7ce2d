/**
 * A task in a transcript that is not stored. It runs what needs no approval, and a call that would ask the user is rejected. Its user
 * learns what happens from its events and its messages.
 */
import type { TaskEvent } from "../../../shared/event.ts";
import type { KeyMask } from "../../key-mask.ts";
import { Approvals } from "../../loop/calls/approvals.ts";
import { ForegroundCalls } from "../../loop/calls/background-list.ts";
import { Judge } from "../../loop/calls/permission.ts";
import { ServerForms } from "../../loop/calls/server-forms.ts";
import { Limits } from "../../loop/limits/limits.ts";
import type { RunEnd, TaskDeps } from "../../loop/loop.ts";
import { Task } from "../../loop/task.ts";
import { Transcript, type TranscriptStart } from "../../loop/transcript.ts";
import type { Host } from "../../ports/host.ts";
import type { ModelAccess } from "../../provider/model-access.ts";
import type { SessionStore } from "../../sessions/session-store.ts";
import type { ToolRegistry } from "../../tools/registry.ts";

export interface ScratchTaskDeps extends ModelAccess, Pick<TaskDeps, "beforeCall" | "afterCall"> {
  host: Host;
  store: SessionStore;
  keys: KeyMask;
  /** The tools that it has. */
  registry: ToolRegistry;
  /** Receives its events. */
  publish(event: TaskEvent): void;
  /** What the model reads in place of a call that would ask. */
  rejection: string;
  /** What requests cost today, for the limits of a day. Default: not known. */
  today?(): Promise<{ cost: number; requests: number }>;
}

export class ScratchTask {
  readonly transcript: Transcript;
  readonly #task: Task;

  /** `model`: `connection/id`, in both modes. */
  constructor(deps: ScratchTaskDeps, start: TranscriptStart & { model: string }) {
    const { host, store, keys, apiKey, profiles, settings, registry, beforeCall, afterCall } = deps;
    const { model, ...begin } = start;
    const { today } = deps;
    const publish = (event: TaskEvent) => {
      if (event.type === "approval")
        approvals.decide(event.callId, { approved: false, comment: deps.rejection });
      else deps.publish(event);
    };
    const transcript = new Transcript({ host, store, keys, registry, publish }, begin);
    const approvals = new Approvals({ host, settings });
    this.transcript = transcript;
    transcript.chooseModel("act", model);
    transcript.chooseModel("plan", model);
    // Passed one by one, because a session has parts of the same names for other purposes, such as its checkpoints.
    this.#task = new Task({
      host,
      apiKey,
      profiles,
      settings,
      registry,
      conversation: transcript,
      approvals,
      foregroundCalls: new ForegroundCalls(),
      serverForms: new ServerForms({ host, conversation: transcript }),
      judge: new Judge(host, settings),
      limits: new Limits(),
      queue: { take: () => [], putBack: () => {} },
      ...(beforeCall ? { beforeCall } : {}),
      ...(afterCall ? { afterCall } : {}),
      ...(today ? { spending: { today } } : {}),
      random: Math.random,
    });
  }

  /** Continues with the last message of its transcript. Never rejects. */
  run(signal: AbortSignal): Promise<RunEnd> {
    return this.#task.run({ type: "continue" }, signal);
  }
}

/** The settings with what remains of the cost limit, for a task that counts its own cost from zero. */
export function withRemainingCost(
  settings: ReturnType<ModelAccess["settings"]>,
  spent: number,
): typeof settings {
  const { maxCost } = settings.approval;
  if (maxCost === 0) return settings;
  return {
    ...settings,
    approval: { ...settings.approval, maxCost: Math.max(Number.MIN_VALUE, maxCost - spent) },
  };
}
