/** One model request: retried while nothing has been shown of it, streamed into one assistant message. */
import type { EventBody } from "../../shared/event.ts";
import type { Message, Usage } from "../../shared/message.ts";
import { Interrupt, ProviderError, throwIfAborted } from "../errors.ts";
import type { Clock } from "../ports/system.ts";
import type { ModelRequest, Provider } from "../provider/provider.ts";
import { bounds, tooLarge } from "../provider/received.ts";
import { maxTries, retryDelay } from "../provider/retry.ts";
import type { CallStream } from "../tools/tool.ts";
import { wait } from "../wait.ts";
import { Answer, type AnswerOptions, isEmpty } from "./answer.ts";
import { ReasoningDetails } from "./reasoning-details.ts";

export interface StepOptions extends Omit<AnswerOptions, "messageId"> {
  provider: Provider;
  model: string;
  clock: Clock;
  /** In [0, 1), for the jitter of retries. */
  random(): number;
  emit(event: EventBody): void;
}

export interface StepResult {
  message: Message;
  subjects: Record<string, string>;
  streams: Map<string, CallStream>;
  usage: Usage | undefined;
  /** Calls came as XML in the text, whichever protocol was asked for. */
  speaksXml: boolean;
  /** Why the message ended, in the endpoint's word; `length`: the output limit cut it off. */
  finish: string | undefined;
  /** Why the message did not end by itself; what came before is in `message`, marked interrupted. */
  failure?: ProviderError | Interrupt;
}

export async function step(
  request: ModelRequest,
  options: StepOptions,
  signal: AbortSignal,
): Promise<StepResult> {
  for (let attempt = 1; ; attempt++) {
    throwIfAborted(signal);
    const result = await attemptStep(request, options, signal);
    const { failure } = result;
    if (!failure || failure instanceof Interrupt || result.message.blocks.length > 0) return result;
    const delay = retryDelay(failure, attempt, options.random);
    if (delay === undefined) throw failure;
    const retryAt = new Date(options.clock.now().getTime() + delay).toISOString();
    const retry = { at: retryAt, try: attempt + 1, of: maxTries(failure), error: failure.view };
    options.emit({ type: "status", status: "retrying", retry });
    await wait(options.clock, delay, signal);
  }
}

async function attemptStep(
  request: ModelRequest,
  options: StepOptions,
  signal: AbortSignal,
): Promise<StepResult> {
  const messageId = options.newId();
  const answer = new Answer({ ...options, messageId });
  options.emit({ type: "status", status: "waiting" });
  let usage: Usage | undefined;
  let finish: string | undefined;
  const details = new ReasoningDetails();
  let streaming = false;
  let failure: ProviderError | Interrupt | undefined;
  try {
    for await (const part of options.provider.stream(request, signal)) {
      if (!streaming && part.type !== "usage") {
        streaming = true;
        options.emit({ type: "status", status: "streaming" });
      }
      if (part.type === "text") answer.text(part.delta);
      else if (part.type === "reasoning") answer.reasoning(part.delta);
      else if (part.type === "tool-calls") answer.toolCalls(part.deltas);
      else if (part.type === "usage") usage = part.usage;
      else if (part.type === "reasoning-details") details.push(part.items);
      else finish = part.reason;
      if (answer.tooManyCalls) break;
    }
    if (answer.tooManyCalls) throw tooLarge(`${bounds.calls} tool calls`);
  } catch (error) {
    if (!(error instanceof ProviderError) && !(error instanceof Interrupt)) throw error;
    failure = error;
  }
  const { blocks, streams, subjects } = answer.end(failure !== undefined || finish === "length");
  if (failure) {
    for (const stream of streams.values()) await stream.abandon();
    streams.clear();
  }
  const reasoningDetails = failure ? undefined : details.end();
  const message: Message = {
    id: messageId,
    role: "assistant",
    blocks,
    createdAt: options.clock.now().toISOString(),
    model: options.model,
    ...(usage ? { usage } : {}),
    ...(reasoningDetails ? { reasoningDetails } : {}),
    ...(failure ? { interrupted: true } : {}),
  };
  return {
    message,
    subjects,
    streams,
    usage,
    speaksXml: answer.speaksXml,
    finish,
    ...(failure ? { failure } : {}),
  };
}

/** The failure that an answer is in which nothing is said or done. */
export function emptiness({ message, finish }: StepResult): ProviderError | undefined {
  if (!isEmpty(message)) return undefined;
  return new ProviderError({
    code: "empty-response",
    ...(finish ? { detail: `finish_reason: ${finish}` } : {}),
  });
}
