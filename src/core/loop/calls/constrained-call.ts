/**
 * Requests a malformed call alone: one that could not be read, or text in a form that is not understood. The endpoint constrains the
 * answer to the tool's schema, so it cannot be malformed again. The exchange is not part of the conversation, but its
 * tokens count.
 */
import type { Message, ToolCallBlock, Usage } from "../../../shared/message.ts";
import * as z from "../../../shared/zod.ts";
import { ProviderError } from "../../errors.ts";
import type { Host } from "../../ports/host.ts";
import { callAlone } from "../../prompts/replies.ts";
import type { ModelProfile } from "../../provider/model-profile.ts";
import type { ModelRequest, StreamPart } from "../../provider/provider.ts";
import type { ToolSet } from "../../tools/set/tool-set.ts";
import type { ReceivedAnswer } from "../answer.ts";
import { type MalformedCall, soleMalformedCall } from "../malformed-calls.ts";
import type { Transcript } from "../transcript.ts";

/** The name with which a model states that it did not mean to call a tool. */
const NONE = "none";

const answerSchema = z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) });

interface ConstrainedRequest {
  /** Rejects with ProviderError. */
  stream(request: ModelRequest): AsyncIterable<StreamPart>;
  /** The request that was answered. */
  request: ModelRequest & { profile: ModelProfile };
  /** Asks the endpoint for facts about the model, if they are not known yet. */
  list(): Promise<void>;
  conversation: Pick<Transcript, "emit" | "addUsage">;
  registry: ToolSet;
  host: Pick<Host, "newId" | "clock">;
  contextWindow: number;
}

/** Replaces the answer's only call, if it is malformed, by one that the endpoint constrains. */
export async function retryMalformedCall(
  result: ReceivedAnswer,
  constrained: ConstrainedRequest,
): Promise<void> {
  const { message, streams, subjects, failure, finish } = result;
  const { request, conversation, registry, contextWindow } = constrained;
  const { profile } = request;
  const malformed = failure || finish === "length" ? undefined : soleMalformedCall(message, registry);
  if (!malformed) return;
  if (!profile.facts.constrains) await constrained.list();
  if (!profile.facts.constrains?.value) return;
  conversation.emit({ type: "status", status: "waiting" });
  try {
    const answered = await requestCall(message, malformed, constrained);
    if (answered?.ignored) profile.learn({ constrains: false }, "answer");
    if (answered?.usage) await conversation.addUsage({ usage: answered.usage, contextWindow });
    const { call } = answered ?? {};
    if (!call) return;
    // The preview shows the malformed call.
    await streams.get(call.id)?.abandon();
    streams.delete(call.id);
    message.blocks = [...message.blocks.filter((block) => block !== malformed.block), call];
    subjects[call.id] = registry.subject(call);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    // The model is told instead that the call could not be read.
    if (error.view.code === "bad-request") profile.learn({ constrains: false }, "refusal");
  }
}

interface ConstrainedAnswer {
  /** undefined: the model did not mean to call the tool, or the call is not valid. */
  call: ToolCallBlock | undefined;
  /** The endpoint ignored the schema. */
  ignored: boolean;
  usage: Usage | undefined;
}

/** Returns undefined if the tool's schema cannot be part of another one. */
async function requestCall(
  answer: Message,
  { tool, block }: MalformedCall,
  { request, stream, registry, host }: ConstrainedRequest,
): Promise<ConstrainedAnswer | undefined> {
  const schema = registry.native("compact").find(({ name }) => name === tool)?.parameters;
  // References are from the root of their schema.
  if (schema === undefined || JSON.stringify(schema).includes('"$ref"')) return undefined;
  const question: Message = {
    id: host.newId(),
    role: "user",
    createdAt: host.clock.now().toISOString(),
    blocks: [{ type: "text", text: callAlone(tool, NONE), source: "context" }],
  };
  const { text, finish, usage } = await readAnswer(
    stream({
      ...request,
      messages: [...request.messages, answer, question],
      // Servers constrain either calls or the answer.
      tools: [],
      format: { name: "call", schema: callSchema(tool, schema) },
    }),
  );
  const parsed = finish === "length" ? undefined : parse(text);
  if (!parsed) return { call: undefined, ignored: finish !== "length", usage };
  const call: ToolCallBlock = {
    type: "tool-call",
    id: block?.id ?? host.newId(),
    ...registry.canonical(parsed.name, parsed.arguments),
    constrained: true,
  };
  const isCall = parsed.name === tool && registry.resolve(call).ok;
  return { call: isCall ? call : undefined, ignored: false, usage };
}

function callSchema(tool: string, parameters: Record<string, unknown>): Record<string, unknown> {
  const call = (name: string, args: Record<string, unknown>) => ({
    type: "object",
    properties: { name: { type: "string", enum: [name] }, arguments: args },
    required: ["name", "arguments"],
    additionalProperties: false,
  });
  const nothing = { type: "object", properties: {}, additionalProperties: false };
  return { anyOf: [call(tool, parameters), call(NONE, nothing)] };
}

async function readAnswer(parts: AsyncIterable<StreamPart>) {
  const texts: string[] = [];
  let finish: string | undefined;
  let usage: Usage | undefined;
  for await (const part of parts) {
    if (part.type === "text") texts.push(part.delta);
    else if (part.type === "usage") usage = part.usage;
    else if (part.type === "finish") finish = part.reason;
  }
  return { text: texts.join(""), finish, usage };
}

function parse(text: string): z.infer<typeof answerSchema> | undefined {
  try {
    return answerSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
