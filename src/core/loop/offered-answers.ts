/**
 * Lets other extensions of the editor use Nekode's connections: their messages, which have the editor's form, become one request,
 * whose answer streams back. Nothing is stored.
 */
import type { Message } from "../../shared/message.ts";
import type { ModelChoice } from "../../shared/models/connection.ts";
import { createNativeCallParser } from "../assistant/native.ts";
import { ProviderError } from "../errors.ts";
import type { EditorMessage, EditorPart, EditorRequest } from "../ports/editor-models.ts";
import type { Host } from "../ports/host.ts";
import { firstPlan, formAdaptations, type RequestPlan } from "../provider/adaptations.ts";
import { fetchFor, type RequestHost } from "../provider/connect/connection-fetch.ts";
import type { ModelAccess } from "../provider/model-access.ts";
import type { ModelRequest } from "../provider/provider.ts";
import { type AttemptResult, sendAdapting } from "../provider/send-adapting.ts";

export interface OfferedDeps extends ModelAccess {
  host: RequestHost & Pick<Host, "clock" | "newId">;
}

/** The editor's messages have no system role: instructions are in the first message. */
const SYSTEM = "Follow the instructions in the conversation.";

/** Reports texts and, at the end, whole calls. Rejects with ProviderError; with Interrupt when `signal` aborts. */
export async function offeredAnswer(
  deps: OfferedDeps,
  choice: ModelChoice,
  { messages, tools }: EditorRequest,
  report: (part: EditorPart) => void,
  signal: AbortSignal,
): Promise<void> {
  const { settings, apiKey, profiles, host } = deps;
  const profile = profiles.of(choice);
  const { connection, model } = choice;
  const endpoint = {
    connection,
    model,
    provider: settings().provider,
    facts: profile.facts,
    apiKey: await apiKey(connection),
    reason: { purpose: "other-extension" as const },
    clock: host.clock,
    fetch: fetchFor(host, connection),
  };
  const request: ModelRequest = {
    system: SYSTEM,
    messages: historyOf(messages, host),
    tools: [...tools],
    protocol: "native",
  };
  const calls = createNativeCallParser([], () => host.newId());
  const send = async ({ quirks }: RequestPlan): Promise<AttemptResult<undefined>> => {
    let shown = false;
    try {
      for await (const part of profile.api.stream(endpoint, request, quirks, signal)) {
        shown = true;
        if (part.type === "text") report({ type: "text", text: part.delta });
        else if (part.type === "tool-calls") calls.push(part.deltas);
      }
      return { result: undefined };
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      return { result: undefined, failed: { error, shown, images: 0 } };
    }
  };
  const first = firstPlan(profile, "native");
  // Only the form of the request is adapted, which needs no wait.
  const { failed } = await sendAdapting(first, formAdaptations(profile), profile, {
    send,
    wait: async () => undefined,
  });
  if (failed) throw failed.error;
  for (const { id, name, arguments: input, argumentsText } of calls.end().calls) {
    if (!input) {
      const detail = `${name}: ${argumentsText.slice(0, 200)}`;
      throw new ProviderError({ code: "bad-response", detail });
    }
    report({ type: "call", id, name, input });
  }
}

/** The editor's messages as the neutral history. */
function historyOf(messages: readonly EditorMessage[], host: Pick<Host, "clock" | "newId">): Message[] {
  const createdAt = host.clock.now().toISOString();
  const names = new Map<string, string>();
  return messages.flatMap(({ role, parts }): Message[] => {
    const blocks = parts.flatMap((part): Message["blocks"] => {
      if (part.type === "text") return [{ type: "text", text: part.text }];
      if (part.type === "result") return [];
      names.set(part.id, part.name);
      return [{ type: "tool-call", id: part.id, name: part.name, params: part.input }];
    });
    const results = parts.flatMap((part): Message["blocks"] => {
      if (part.type !== "result") return [];
      const name = names.get(part.id) ?? "unknown";
      const text = [{ type: "text" as const, text: part.text }];
      return [{ type: "tool-result", callId: part.id, name, label: name, outcome: "done", parts: text }];
    });
    const base = { createdAt, id: host.newId() };
    return [
      ...(results.length > 0 ? [{ ...base, role: "tool" as const, blocks: results }] : []),
      ...(blocks.length > 0 ? [{ ...base, id: host.newId(), role, blocks }] : []),
    ];
  });
}
