/**
 * Lets others in the editor use Nekode's connections: their messages in the editor's form become one request, and its answer
 * streams back. Nothing of it is stored.
 */
import type { Message } from "../../../shared/message.ts";
import type { ModelChoice } from "../../../shared/models/connection.ts";
import { ProviderError } from "../../errors.ts";
import type { EditorMessage, EditorPart, EditorRequest } from "../../ports/editor-models.ts";
import type { Host } from "../../ports/host.ts";
import { firstPlan, formAdaptations } from "../adaptations.ts";
import type { ModelAccess } from "../model-access.ts";
import type { ModelRequest, ToolCallDelta } from "../provider.ts";

export interface OfferedDeps extends ModelAccess {
  host: Pick<Host, "clock" | "fetch" | "newId">;
}

/** The editor's messages have no system role: what must come first is their own first message. */
const SYSTEM = "Follow the instructions in the conversation.";

/** Yields texts and whole calls. Rejects with ProviderError; with Interrupt when `signal` aborts. */
export async function* offeredAnswer(
  deps: OfferedDeps,
  choice: ModelChoice,
  { messages, tools }: EditorRequest,
  signal: AbortSignal,
): AsyncGenerator<EditorPart> {
  const request: ModelRequest = {
    system: SYSTEM,
    messages: historyOf(messages, deps.host),
    tools: [...tools],
    protocol: "native",
  };
  const calls = new Map<number, { id: string; name: string; input: string }>();
  for await (const part of adapted(deps, choice, request, signal)) {
    if (part.type === "text") yield { type: "text", text: part.delta };
    else if (part.type === "tool-calls") for (const delta of part.deltas) collect(calls, delta);
  }
  for (const { id, name, input } of calls.values()) {
    yield { type: "call", id: id || deps.host.newId(), name, input: inputOf(name, input) };
  }
}

/** Streams the request, and again in another form as long as the endpoint refuses it before it says anything. */
async function* adapted(
  { settings, apiKey, profiles, host }: OfferedDeps,
  choice: ModelChoice,
  request: ModelRequest,
  signal: AbortSignal,
) {
  const profile = profiles.of(choice);
  const { connection, model } = choice;
  const { clock, fetch } = host;
  const { provider } = settings();
  const endpoint = {
    ...{ connection, provider, model, facts: profile.facts, apiKey: await apiKey(connection) },
    ...{ clock, fetch },
  };
  const rows = new Set(formAdaptations(profile));
  let plan = firstPlan(profile, "native");
  for (;;) {
    let shown = false;
    try {
      for await (const part of profile.api.stream(endpoint, request, plan.quirks, signal)) {
        shown = true;
        yield part;
      }
      return;
    } catch (error) {
      if (!(error instanceof ProviderError) || shown) throw error;
      const failed = { error, shown, images: false };
      const row = [...rows].find((each) => each.matches(failed, plan, profile));
      if (!row?.change) throw error;
      rows.delete(row);
      row.learn?.(failed, profile);
      plan = row.change(plan);
    }
  }
}

function collect(
  calls: Map<number, { id: string; name: string; input: string }>,
  { index, id = "", name = "", arguments: input = "" }: ToolCallDelta,
): void {
  // Without an index, an id begins a new call.
  const at = index ?? (id === "" ? Math.max(0, calls.size - 1) : calls.size);
  const call = calls.get(at) ?? { id: "", name: "", input: "" };
  calls.set(at, { id: call.id || id, name: call.name || name, input: call.input + input });
}

function inputOf(name: string, text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text || "{}");
    if (typeof value === "object" && value !== null) return { ...value };
  } catch (cause) {
    throw new ProviderError({ code: "bad-response", detail: `${name}: ${text.slice(0, 200)}` }, { cause });
  }
  throw new ProviderError({ code: "bad-response", detail: `${name}: ${text.slice(0, 200)}` });
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
