/**
 * The tools of one task: their native schemas, their XML documentation, and which calls of them can run (`resolve`). A call that is cut off,
 * unknown or not valid is refused here, with the reply that the model receives.
 */
import type { ToolCallBlock } from "../../../shared/message.ts";
import type { ToolPresentation } from "../../../shared/tool-presentation.ts";
import type { ToolSyntax } from "../../assistant/events.ts";
import {
  type ParamAliases,
  PROGRESS_PARAM,
  paramAliases,
  withOwnNames,
} from "../../assistant/param-names.ts";
import { isRecord } from "../../assistant/record.ts";
import { resolveToolName } from "../../assistant/tool-names.ts";
import { cachedValue } from "../../cached-value.ts";
import type { NativeTool, Protocol } from "../../provider/provider.ts";
import type { OfferedServer } from "../../servers/project-servers.ts";
import type { Tool, ToolAlias } from "../tool.ts";
import { hasTool, serversFor, type ToolLimits } from "./agent-limits.ts";
import { builtSchemas } from "./built-schemas.ts";
import type { ToolInput } from "./tool-input.ts";

/** The system prompt describes it once for all tools. */
const PROGRESS_SCHEMA = { type: "string" };

export type ResolvedCall =
  | { ok: true; tool: Tool; params: Record<string, unknown>; progress: string | undefined }
  | { ok: false; error: string };

export class ToolSet {
  #index: Index;
  readonly #native = new Map<Wording, NativeTool[]>();
  readonly #documentation = new Map<Wording, string>();
  /** Of the tools that were called. */
  readonly #paramNames = new Map<Tool, ParamAliases>();
  #grammar: readonly ToolSyntax[] | undefined;
  #servers: readonly OfferedServer[];
  #deferred = false;
  /** Narrow what is offered. */
  #limits: readonly ToolLimits[] = [];

  constructor(tools: readonly Tool[], servers: readonly OfferedServer[] = []) {
    this.#index = indexOf(tools);
    this.#servers = servers;
  }

  /** The MCP servers that the prompt describes. */
  get servers(): readonly OfferedServer[] {
    return serversFor(this.#limits, this.#servers);
  }

  /** The servers' tools would take too much of the context window, so they are found by need. */
  get isDeferred(): boolean {
    return this.#deferred;
  }

  /** In the order in which the prompt documents them. */
  get tools(): readonly Tool[] {
    return this.#index.tools;
  }

  /** For subclasses whose tools change. `limits`: tools that these do not include are known, but not offered. */
  protected replace(
    tools: readonly Tool[],
    servers: readonly OfferedServer[],
    { deferred = false, limits = [] }: { deferred?: boolean; limits?: readonly ToolLimits[] } = {},
  ): void {
    this.#index = indexOf(tools);
    this.#servers = servers;
    this.#deferred = deferred;
    this.#limits = limits;
    this.#native.clear();
    this.#documentation.clear();
    this.#paramNames.clear();
    this.#grammar = undefined;
  }

  #resolveName(name: string): ReturnType<typeof resolveToolName> {
    return resolveToolName(name, [...this.#index.byName.keys()], this.#index.meant);
  }

  /** The tool that a model meant by `name`, spelling variants included. */
  find(name: string): Tool | undefined {
    const resolved = this.#resolveName(name);
    return "name" in resolved ? this.#index.byName.get(resolved.name) : undefined;
  }

  /** The presentation of the tool that a stored message names. */
  presentation(name: string): ToolPresentation | undefined {
    return this.find(name)?.presentation;
  }

  /** The names and parameters that the XML parser recognizes; the same object until the tools change. */
  grammar(): readonly ToolSyntax[] {
    this.#grammar ??= this.#newGrammar();
    return this.#grammar;
  }

  #newGrammar(): ToolSyntax[] {
    const own = this.tools.map((tool) => ({
      name: tool.name,
      params: allParamsOf(tool),
      text: textParam(tool),
    }));
    const others = [...this.#index.aliases.values()].map(({ name, params, text }) => ({
      name,
      params: Object.keys(params),
      text,
    }));
    return [...own, ...others].map((syntax) => ({
      ...syntax,
      fits: (params) => this.#fits(syntax.name, params),
    }));
  }

  #fits(name: string, params: Record<string, unknown>): boolean {
    return this.resolve({ type: "tool-call", id: "", ...this.canonical(name, params) }).ok;
  }

  /** The call with our tool and parameter names, where the model used known alternatives. */
  canonical(name: string, params: Record<string, unknown>): Pick<ToolCallBlock, "name" | "params" | "alias"> {
    const resolved = this.#resolveName(name);
    const tool = "name" in resolved ? this.#index.byName.get(resolved.name) : undefined;
    if (!("name" in resolved) || !tool) return { name, params };
    const alias = this.#index.aliases.get(resolved.alias ?? "");
    const mapped = alias ? aliasParams(alias, params) : params;
    return {
      name: tool.name,
      params: withOwnNames(
        mapped,
        allParamsOf(tool),
        cachedValue(this.#paramNames, tool, () => paramAliases(allParamsOf(tool), tool.paramNames)),
      ),
      ...(alias ? { alias: alias.name } : {}),
    };
  }

  /** Our parameter that corresponds to `param` of a streaming call of `name`. */
  streamedParam(name: string, param: string): string {
    const alias = this.#index.aliases.get(name);
    return (alias && Object.hasOwn(alias.params, param) ? alias.params[param] : undefined) ?? param;
  }

  subject(call: Pick<ToolCallBlock, "name" | "params">): string {
    const { name, params } = this.canonical(call.name, call.params);
    return this.#index.byName.get(name)?.subject(params) ?? "";
  }

  /** For example `replace_in_file for 'neko.txt'`. */
  label(call: ToolCallBlock): string {
    const subject = this.subject(call);
    const short = subject.length > 120 ? `${subject.slice(0, 117)}...` : subject;
    return subject === "" ? call.name : `${call.name} for '${short}'`;
  }

  /** Checks a raw call: its name, its parameters and their types. The error tells the model how to fix the call. */
  resolve(call: ToolCallBlock): ResolvedCall {
    if (call.partial) {
      const { malformed } = call;
      if (malformed === undefined) return { ok: false, error: this.#cutOff(call) };
      return { ok: false, error: this.#faulty(call.name, malformed) };
    }
    const resolved = this.#resolveName(call.name);
    const tool = "name" in resolved ? this.#index.byName.get(resolved.name) : undefined;
    if (!("name" in resolved) || !tool) {
      const near = "suggestions" in resolved ? resolved.suggestions : [];
      const hint = near.length > 0 ? ` Did you mean ${near.join(" or ")}?` : "";
      return { ok: false, error: `There is no tool named ${call.name}.${hint}` };
    }
    if (call.malformed !== undefined) {
      return {
        ok: false,
        error: `The arguments of ${tool.name} are not valid JSON: ${call.malformed}. Send the call again.`,
      };
    }
    const { progress, rest } = splitProgress(tool, call.params);
    const parsed = tool.input.parse({ ...tool.absent, ...rest });
    if (!parsed.ok) return { ok: false, error: `${tool.name}: ${parsed.error}` };
    return {
      ok: true,
      tool: withContract(tool, call.alias),
      params: parsed.value,
      progress,
    };
  }

  /**
   * Why a call has no end. After a parameter that the tool does not have, the preceding value stays open to the end of the
   * message (a closing tag ends a value only before something that belongs to the call), so that is checked first.
   */
  #cutOff(call: ToolCallBlock): string {
    const known = paramsOf(this.#index.byName.get(call.name));
    for (const [param, value] of Object.entries(call.params)) {
      const after = typeof value === "string" ? value.split(`</${param}>`)[1] : undefined;
      const unknown = /^\s*<(\w{1,64})>/.exec(after ?? "")?.[1];
      const wrong = /^\s*<\/([\w.-]{1,64})>\s*$/.exec(after ?? "")?.[1];
      if (wrong !== undefined) {
        return this.#faulty(call.name, `it ends with </${wrong}> instead of </${call.name}>`);
      }
      if (typeof value === "string" && value.trimEnd().endsWith(`</${call.name}>`)) {
        return this.#faulty(call.name, `the closing tag </${param}> is missing`);
      }
      if (unknown !== undefined && known.length > 0 && !known.includes(unknown)) {
        return `${call.name} has no parameter named ${unknown}, so the call was not run. Its parameters: ${known.join(", ")}.`;
      }
    }
    return "The call was cut off before its end, so it was not run. Send the complete call again.";
  }

  #faulty(name: string, fault: string): string {
    return `This call of ${name} was not run: ${fault}. Send it in this form:\n${this.usage(name)}`;
  }

  /** The form of a call under the XML protocol with the tool's required parameters; a generic one for an unknown name. */
  usage(name: string): string {
    const tool = this.find(name);
    const params = tool === undefined ? ["parameter_name"] : required(tool);
    const tag = tool?.name ?? "tool_name";
    return [`<${tag}>`, ...params.map((param) => `<${param}>...</${param}>`), `</${tag}>`].join("\n");
  }

  /** The same array until the tools change. */
  native(wording: Wording = "full"): NativeTool[] {
    return cachedValue(this.#native, wording, () =>
      this.offered("native").map((tool) => {
        const schema = schemaOf(tool);
        const own = isRecord(schema.properties) ? schema.properties : {};
        const described = Object.entries(own).map(([name, shape]) => {
          const description = wording === "full" ? tool.guide?.params?.[name] : undefined;
          return [name, description !== undefined && isRecord(shape) ? { ...shape, description } : shape];
        });
        const properties = {
          ...Object.fromEntries(described),
          [PROGRESS_PARAM]: own[PROGRESS_PARAM] ?? PROGRESS_SCHEMA,
        };
        const description = descriptionOf(tool, wording);
        return { name: tool.name, description, parameters: { ...schema, properties } };
      }),
    );
  }

  /** The tools that the model can call: as functions, or as the documentation describes them. */
  offered(protocol: Protocol): Tool[] {
    const isNative = protocol === "native";
    return this.tools.filter((tool) => {
      const { origin, offered } = tool;
      if (!this.#limits.every((limits) => hasTool(limits, tool))) return false;
      // Under XML, the prompt describes the tools of servers with their server.
      if (origin === "server") return isNative && !this.#deferred;
      return this.#deferred || (isNative ? offered === undefined : offered !== "deferred");
    });
  }

  /** One section per tool, for prompts under the XML protocol. */
  documentation(wording: Wording = "full"): string {
    const documented = () => this.offered("xml").map((tool) => document(tool, wording));
    return cachedValue(this.#documentation, wording, () => documented().join("\n\n"));
  }
}

interface Index {
  tools: readonly Tool[];
  byName: ReadonlyMap<string, Tool>;
  aliases: ReadonlyMap<string, ToolAlias>;
  /** Alias to the name of our tool. */
  meant: ReadonlyMap<string, string>;
}

function indexOf(tools: readonly Tool[]): Index {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  // A tool's own name takes precedence over an alias.
  const aliases = tools
    .flatMap((tool) => (tool.aliases ?? []).map((alias) => ({ tool, alias })))
    .filter(({ alias }) => !byName.has(alias.name));
  return {
    tools,
    byName,
    aliases: new Map(aliases.map(({ alias }) => [alias.name, alias])),
    meant: new Map(aliases.map(({ tool, alias }) => [alias.name, tool.name])),
  };
}

function schemaOf({ name, origin, input }: Tool): ToolInput["schema"] {
  const built = origin === undefined && Object.hasOwn(builtSchemas, name) ? builtSchemas[name] : undefined;
  return built ?? input.schema;
}

function paramsOf(tool: Tool | undefined): string[] {
  return tool?.input.params.map(({ name }) => name) ?? [];
}

function allParamsOf(tool: Tool): string[] {
  return [...new Set([...paramsOf(tool), PROGRESS_PARAM])];
}

/** A third-party tool may define a parameter of the same name; then the value belongs to that tool. */
function splitProgress(
  tool: Tool,
  params: Readonly<Record<string, unknown>>,
): { progress: string | undefined; rest: Readonly<Record<string, unknown>> } {
  if (paramsOf(tool).includes(PROGRESS_PARAM)) return { progress: undefined, rest: params };
  const { [PROGRESS_PARAM]: progress, ...rest } = params;
  return { progress: typeof progress === "string" ? progress : undefined, rest };
}

function aliasParams(alias: ToolAlias, params: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const own = Object.hasOwn(alias.params, name) ? alias.params[name] : undefined;
      const convert = own === undefined ? undefined : alias.convert?.[own];
      return [own ?? name, convert ? convert(value) : value];
    }),
  );
}

/** The tool with the contract of the alias that the model called. */
function withContract(tool: Tool, name: string | undefined): Tool {
  const contract = tool.aliases?.find((alias) => alias.name === name)?.contract;
  return contract ? { ...tool, prepare: contract(tool) } : tool;
}

function required(tool: Tool): string[] {
  return tool.input.params.filter((param) => param.required).map(({ name }) => name);
}

/** The only required parameter, if it accepts any text; otherwise "". Parameters with an `absent` value do not count. */
function textParam(tool: Tool): string {
  const [only] = tool.input.params.filter((param) => param.required && param.text);
  const others = required(tool).filter((name) => name !== only?.name && !(name in (tool.absent ?? {})));
  return only !== undefined && others.length === 0 ? only.name : "";
}

function descriptionOf({ description, guide }: Tool, wording: Wording): string {
  return (wording === "full" ? guide?.description : undefined) ?? description;
}

function document(tool: Tool, wording: Wording): string {
  const guide = wording === "full" ? tool.guide?.params : undefined;
  const lines = tool.input.params.map(({ name, required, form, description }) => {
    const text = guide?.[name] ?? description;
    const values = form === "" ? "" : `; ${form}`;
    return `- ${name}: (${required ? "required" : "optional"}${values}) ${text}`.trimEnd();
  });
  return [
    `## ${tool.name}`,
    `Description: ${descriptionOf(tool, wording)}`,
    "Parameters:",
    ...lines,
    `- ${PROGRESS_PARAM}: (optional) See UPDATING TASK PROGRESS.`,
    "Usage:",
    `<${tool.name}>`,
    ...allParamsOf(tool).map((name) => `<${name}>...</${name}>`),
    `</${tool.name}>`,
  ].join("\n");
}

/** compact: for small context windows, in which every token of the instructions reduces the space for the conversation. */
export type Wording = "full" | "compact";

/** Tokens of the smallest window with room for the long texts; "32k" of a model may mean exactly that. */
const LEAST_FULL_WINDOW = 32_000;

export function wordingFor(window: number): Wording {
  return window < LEAST_FULL_WINDOW ? "compact" : "full";
}
