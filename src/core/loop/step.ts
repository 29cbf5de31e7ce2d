/** One model request, streamed into one assistant message. */
import type { Message, Usage } from "../../shared/message.ts";
import { Interrupt, ProviderError } from "../errors.ts";
import type { Clock } from "../ports/system.ts";
import type { StreamPart } from "../provider/provider.ts";
import { BOUNDS, tooLarge } from "../provider/received.ts";
import type { CallStream } from "../tools/tool.ts";
import { Answer, type AnswerOptions, isEmpty } from "./answer.ts";
import { ReasoningDetails } from "./reasoning-details.ts";

export interface StepOptions extends Omit<AnswerOptions, "messageId"> {
  /** Rejects with ProviderError, or with Interrupt. */
  stream(): AsyncIterable<StreamPart>;
  model: string;
  /** The name of the connection that the model is at. */
  connection: string;
  clock: Clock;
}

export interface StepResult {
  message: Message;
  subjects: Record<string, string>;
  streams: Map<string, CallStream>;
  usage: Usage | undefined;
  /** Calls came as XML in the text, whichever protocol was requested. */
  speaksXml: boolean;
  /** The endpoint's finish reason; `length`: the output limit cut the message off. */
  finish: string | undefined;
  /** Why the message was interrupted; the received part is in `message`, marked as interrupted. */
  failure?: ProviderError | Interrupt;
}

export async function step(options: StepOptions): Promise<StepResult> {
  const messageId = options.newId();
  const answer = new Answer({ ...options, messageId });
  options.emit({ type: "status", status: "waiting" });
  const received: Received = { usage: undefined, finish: undefined, details: new ReasoningDetails() };
  let failure: ProviderError | Interrupt | undefined;
  try {
    await receive(options, answer, received);
  } catch (error) {
    if (!(error instanceof ProviderError) && !(error instanceof Interrupt)) throw error;
    failure = error;
  }
  const { usage, finish, details } = received;
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
    connection: options.connection,
    ...(usage ? { usage } : {}),
    ...(reasoningDetails ? { reasoningDetails } : {}),
    ...(failure || isCut(blocks, finish) ? { interrupted: true } : {}),
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

/** What a stream contains besides the answer. */
interface Received {
  usage: Usage | undefined;
  finish: string | undefined;
  details: ReasoningDetails;
}

/** Reads the stream into the answer and into `received`, which keep what came if it rejects. */
async function receive(options: StepOptions, answer: Answer, received: Received): Promise<void> {
  let streaming = false;
  for await (const part of options.stream()) {
    if (!streaming && part.type !== "usage") {
      streaming = true;
      options.emit({ type: "status", status: "streaming" });
    }
    if (part.type === "text") answer.text(part.delta);
    else if (part.type === "reasoning") answer.reasoning(part.delta);
    else if (part.type === "signed-reasoning") answer.signedReasoning(part.signed);
    else if (part.type === "tool-calls") answer.toolCalls(part.deltas);
    else if (part.type === "usage") received.usage = part.usage;
    else if (part.type === "reasoning-details") received.details.push(part.items);
    else received.finish = part.reason;
    if (answer.tooManyCalls) throw tooLarge(`${BOUNDS.calls} tool calls`);
  }
}

/** Whether the output limit or a filter ended an answer that has something to continue from, and no calls to run. */
function isCut(blocks: Message["blocks"], finish: string | undefined): boolean {
  const isLimit = finish === "length" || finish === "content_filter";
  return isLimit && !isEmpty({ blocks }) && !hasCalls(blocks);
}

function hasCalls(blocks: Message["blocks"]): boolean {
  return blocks.some(({ type }) => type === "tool-call");
}

/** The error for an answer without text and calls, or that a limit or a filter ended; undefined: the answer can be used. */
export function unusable({ message, finish }: StepResult): ProviderError | undefined {
  if (finish === "content_filter" && !hasCalls(message.blocks))
    return new ProviderError({ code: "content-filtered" });
  // There is nothing to wait for.
  if (isCut(message.blocks, finish)) return new ProviderError({ code: "answer-cut" }, { retryAfterMs: 0 });
  if (!isEmpty(message)) return undefined;
  return new ProviderError({
    code: "empty-response",
    ...(finish ? { detail: `finish_reason: ${finish}` } : {}),
  });
}
