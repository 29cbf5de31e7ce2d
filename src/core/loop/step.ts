/** One model request, streamed into one assistant message. */
import type { Message, Usage } from "../../shared/message.ts";
import { Interrupt, ProviderError } from "../errors.ts";
import type { Clock } from "../ports/system.ts";
import type { StreamPart } from "../provider/provider.ts";
import { bounds, tooLarge } from "../provider/received.ts";
import type { CallStream } from "../tools/tool.ts";
import { Answer, type AnswerOptions, isEmpty } from "./answer.ts";
import { ReasoningDetails } from "./reasoning-details.ts";

export interface StepOptions extends Omit<AnswerOptions, "messageId"> {
  /** Rejects with ProviderError, or with Interrupt. */
  stream(): AsyncIterable<StreamPart>;
  model: string;
  clock: Clock;
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

export async function step(options: StepOptions): Promise<StepResult> {
  const messageId = options.newId();
  const answer = new Answer({ ...options, messageId });
  options.emit({ type: "status", status: "waiting" });
  let usage: Usage | undefined;
  let finish: string | undefined;
  const details = new ReasoningDetails();
  let streaming = false;
  let failure: ProviderError | Interrupt | undefined;
  try {
    for await (const part of options.stream()) {
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
