/** The adaptation to an endpoint that refuses a request for the schema or the name of a server's tool. */
import type { EventBody } from "../../shared/event.ts";
import type { Adaptation, RequestPlan } from "../provider/adaptations.ts";
import type { ModelProfile } from "../provider/model-profile.ts";
import type { ModelRequest, NativeTool } from "../provider/provider.ts";

/** Requests that one search may cost. */
const MOST = 12;

const INDEX = [/function_?declarations?[.[](\d+)/i, /\b(?:tools|functions)[.[](\d+)/i];
const UNNAMED =
  /\b(?:tools?|functions?)\b.{0,80}\b(?:schema|parameters?|names?|declarations?|properties)\b|\b(?:invalid|unsupported|bad)\b.{0,40}\bschema\b|\bschema\b.{0,60}\b(?:invalid|unsupported|not (?:valid|supported))|function_?declaration|input_?schema/i;

interface Tools {
  profile: ModelProfile;
  /** The tools of the request in full, in their order. */
  offered(): readonly NativeTool[];
  /** Those of servers have this origin. */
  registry: { readonly tools: readonly { readonly name: string; readonly origin?: string | undefined }[] };
  conversation: { emit(event: EventBody): void };
  host: { newId(): string };
}

/** Leaves out the tool that the refusal names. If it names none, leaves out the tools of one server after the other. */
export function withoutRefusedTools({ profile, offered, registry, conversation, host }: Tools): Adaptation {
  const ofServers = new Set(
    registry.tools.filter(({ origin }) => origin === "server").map(({ name }) => name),
  );
  let refused: string[] = [];
  let words = "";
  return {
    name: "without refused tools",
    most: MOST,
    matches: ({ error }, { protocol, withheldTools }) => {
      words = error.view.detail ?? "";
      if (protocol !== "native" || error.view.code !== "bad-request" || profile.api.refusesTools(error))
        return false;
      const sent = offered()
        .map(({ name }) => name)
        .filter((name) => !withheldTools.has(name));
      refused = refusedIn(words, sent, ofServers);
      return refused.length > 0;
    },
    learn: () => profile.withhold(refused),
    change: (plan) => {
      const values = [refused.join(", "), words];
      conversation.emit({ type: "notice", id: host.newId(), code: "tools-refused", values });
      return { ...plan, withheldTools: new Set([...plan.withheldTools, ...refused]) };
    },
  };
}

/** The request without the tools that the plan withholds. */
export function withoutTools<T extends ModelRequest>(request: T, { withheldTools }: RequestPlan): T {
  if (withheldTools.size === 0) return request;
  return { ...request, tools: request.tools.filter(({ name }) => !withheldTools.has(name)) };
}

function refusedIn(words: string, sent: readonly string[], ofServers: ReadonlySet<string>): string[] {
  const own = sent.filter((name) => ofServers.has(name));
  // A name may be the beginning of another one.
  const named = own.filter((name) => words.includes(name)).toSorted((a, b) => b.length - a.length)[0];
  if (named !== undefined) return [named];
  for (const pattern of INDEX) {
    const index = pattern.exec(words)?.[1];
    const name = index === undefined ? undefined : sent[Number(index)];
    if (name !== undefined) return ofServers.has(name) ? [name] : [];
  }
  const last = own.at(-1);
  if (last === undefined || !UNNAMED.test(words)) return [];
  return own.filter((name) => serverOf(name) === serverOf(last));
}

function serverOf(tool: string): string {
  return tool.split("__", 1)[0] ?? tool;
}
