/** The tools that are on, and all that derives from them: validated calls, the native schema, the XML documentation. */
import * as z from "zod";
import type { ToolCallBlock } from "../../shared/message.ts";
import type { ToolFace } from "../../shared/tool-face.ts";
import type { ToolSyntax } from "../assistant/events.ts";
import { type Meanings, meaningsOf, withOwnNames } from "../assistant/param-names.ts";
import { parseParams } from "../assistant/params.ts";
import { progressParam } from "../assistant/progress-param.ts";
import { resolveToolName } from "../assistant/tool-names.ts";
import type { NativeTool } from "../provider/provider.ts";
import { applyPatch } from "./apply-patch.ts";
import { condense, newTask } from "./choices.ts";
import { deleteFile } from "./delete-file.ts";
import { executeCommand } from "./execute-command.ts";
import { listCodeDefinitionNames } from "./list-code-definition-names.ts";
import { listFiles } from "./list-files.ts";
import { newRule } from "./new-rule.ts";
import { readFile } from "./read-file.ts";
import { readTerminal } from "./read-terminal.ts";
import { replaceInFile } from "./replace-in-file.ts";
import { searchFiles } from "./search-files.ts";
import { askFollowupQuestion, attemptCompletion, planModeRespond } from "./talk.ts";
import type { OldResult, Tool, ToolAlias } from "./tool.ts";
import { writeToFile } from "./write-to-file.ts";

/** In the order in which the prompt documents them. */
export const defaultTools: readonly Tool[] = [
  executeCommand,
  readTerminal,
  readFile,
  writeToFile,
  replaceInFile,
  applyPatch,
  deleteFile,
  searchFiles,
  listFiles,
  listCodeDefinitionNames,
  askFollowupQuestion,
  attemptCompletion,
  newTask,
  condense,
  newRule,
  planModeRespond,
];

const progressText =
  "The todo list as it stands after this call: Markdown, - [ ] for open and - [x] for done items.";

export type ResolvedCall =
  | { ok: true; tool: Tool; params: Record<string, unknown>; progress: string | undefined }
  | { ok: false; error: string };

export class ToolRegistry {
  readonly tools: readonly Tool[];
  readonly #byName: ReadonlyMap<string, Tool>;
  readonly #aliases: ReadonlyMap<string, ToolAlias>;
  /** Our names of the tools that the aliases stand for. */
  readonly #meant: ReadonlyMap<string, string>;
  readonly #meanings: ReadonlyMap<Tool, Meanings>;
  #native: NativeTool[] | undefined;

  constructor(tools: readonly Tool[] = defaultTools) {
    this.tools = tools;
    this.#byName = new Map(tools.map((tool) => [tool.name, tool]));
    // A tool of its own name goes before another product's.
    const aliases = tools.flatMap((tool) => (tool.aliases ?? []).map((alias) => ({ tool, alias })));
    const free = aliases.filter(({ alias }) => !this.#byName.has(alias.name));
    this.#aliases = new Map(free.map(({ alias }) => [alias.name, alias]));
    this.#meant = new Map(free.map(({ tool, alias }) => [alias.name, tool.name]));
    this.#meanings = new Map(
      tools.map((tool) => [tool, meaningsOf([...paramsOf(tool), progressParam], tool.paramNames)]),
    );
  }

  #resolveName(name: string): ReturnType<typeof resolveToolName> {
    return resolveToolName(name, [...this.#byName.keys()], this.#meant);
  }

  /** The tool that a model meant by `name`, spelling variants included. */
  find(name: string): Tool | undefined {
    const resolved = this.#resolveName(name);
    return "name" in resolved ? this.#byName.get(resolved.name) : undefined;
  }

  /** How the calls of a tool look that a stored message names. */
  face(name: string): ToolFace | undefined {
    return this.find(name)?.face;
  }

  /** What the XML parser must know: names and parameters. */
  grammar(): ToolSyntax[] {
    const own = this.tools.map((tool) => ({
      name: tool.name,
      params: [...paramsOf(tool), progressParam],
      text: textParam(tool),
    }));
    const others = [...this.#aliases.values()];
    return [...own, ...others.map(({ name, params, text }) => ({ name, params: Object.keys(params), text }))];
  }

  /** The call under our own names, where the model used others that are understood. */
  canonical(name: string, params: Record<string, unknown>): Pick<ToolCallBlock, "name" | "params" | "alias"> {
    const resolved = this.#resolveName(name);
    const tool = "name" in resolved ? this.#byName.get(resolved.name) : undefined;
    if (!("name" in resolved) || !tool) return { name, params };
    const alias = this.#aliases.get(resolved.alias ?? "");
    const mapped = alias ? aliasParams(alias, params) : params;
    return {
      name: tool.name,
      params: withOwnNames(mapped, [...paramsOf(tool), progressParam], this.#meanings.get(tool) ?? new Map()),
      ...(alias ? { alias: alias.name } : {}),
    };
  }

  /** The parameter of our tool that takes what a call of `name` gives as `param`, while it streams. */
  streamedParam(name: string, param: string): string {
    const alias = this.#aliases.get(name);
    return (alias && Object.hasOwn(alias.params, param) ? alias.params[param] : undefined) ?? param;
  }

  subject(call: Pick<ToolCallBlock, "name" | "params">): string {
    const { name, params } = this.canonical(call.name, call.params);
    return this.#byName.get(name)?.subject(params) ?? "";
  }

  /** As in `replace_in_file for 'neko.txt'`. */
  label(call: ToolCallBlock): string {
    const subject = this.subject(call);
    const short = subject.length > 120 ? `${subject.slice(0, 117)}...` : subject;
    return subject === "" ? call.name : `${call.name} for '${short}'`;
  }

  /** Checks a raw call: its name, its parameters and their types. The error is in words that a model can act on. */
  resolve(call: ToolCallBlock): ResolvedCall {
    if (call.partial) {
      const { malformed } = call;
      if (malformed === undefined) return { ok: false, error: this.#cutOff(call) };
      return { ok: false, error: this.#faulty(call.name, malformed) };
    }
    const resolved = this.#resolveName(call.name);
    const tool = "name" in resolved ? this.#byName.get(resolved.name) : undefined;
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
    const { [progressParam]: progress, ...rest } = call.params;
    const parsed = parseParams(tool.schema, { ...tool.absent, ...rest });
    if (!parsed.ok) return { ok: false, error: `${tool.name}: ${parsed.error}` };
    return {
      ok: true,
      tool: withContract(tool, call.alias),
      params: parsed.value,
      progress: typeof progress === "string" ? progress : undefined,
    };
  }

  /**
   * Why a call never ended. A parameter that the tool does not have keeps the value before it open to the end of the
   * message (a closing tag ends a value only before what belongs to the call), so that is looked for first.
   */
  #cutOff(call: ToolCallBlock): string {
    const known = Object.keys(this.#byName.get(call.name)?.schema.shape ?? {});
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
    return "The call was cut off before its end, so it was not run. Send it again, whole.";
  }

  #faulty(name: string, fault: string): string {
    return `This call of ${name} was not run: ${fault}. Send it in this form:\n${this.usage(name)}`;
  }

  /** A call of the tool under the XML protocol, with its required parameters; any tool where the name means none. */
  usage(name: string): string {
    const tool = this.find(name);
    const params = tool === undefined ? ["parameter_name"] : required(tool);
    const tag = tool?.name ?? "tool_name";
    return [`<${tag}>`, ...params.map((param) => `<${param}>...</${param}>`), `</${tag}>`].join("\n");
  }

  /** Always the same list. */
  native(): NativeTool[] {
    this.#native ??= this.tools.map((tool) => {
      const schema = tool.schema.extend({ [progressParam]: z.string().optional().describe(progressText) });
      const { $schema: _, ...parameters } = z.toJSONSchema(schema, { io: "input" });
      return { name: tool.name, description: tool.description, parameters };
    });
    return this.#native;
  }

  /** One section a tool, for prompts under the XML protocol. */
  documentation(): string {
    return this.tools.map((tool) => document(tool)).join("\n\n");
  }
}

function paramsOf(tool: Tool): string[] {
  return Object.keys(tool.schema.shape);
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

/** The tool under the contract of the other product's tool that the model called. */
function withContract(tool: Tool, name: string | undefined): Tool {
  const contract = tool.aliases?.find((alias) => alias.name === name)?.contract;
  return contract ? { ...tool, prepare: contract(tool) } : tool;
}

const oldResults = new Map(defaultTools.map(({ name, oldResult = {} }) => [name, oldResult]));

/**
 * How old results of the tool of that name are shortened. Only our own tools have a way of their own: what requests leave
 * out must not depend on which others are there.
 */
export function oldResultOf(name: string): OldResult {
  return oldResults.get(name) ?? {};
}

function required(tool: Tool): string[] {
  return Object.entries(tool.schema.shape).flatMap(([name, type]) =>
    type instanceof z.ZodType && !type.safeParse(undefined).success ? [name] : [],
  );
}

/** The one required parameter that takes any text; "" where there is none, or another one beside it. */
function textParam(tool: Tool): string {
  const { shape } = tool.schema;
  const texts = required(tool).filter((name) => {
    const type = shape[name];
    return type instanceof z.ZodType && type.safeParse("text").success;
  });
  const [only] = texts;
  const others = required(tool).filter((name) => name !== only && !(name in (tool.absent ?? {})));
  return only !== undefined && others.length === 0 ? only : "";
}

function document(tool: Tool): string {
  const params = Object.entries(tool.schema.shape).map(([name, type]) => {
    const optional = type instanceof z.ZodType && type.safeParse(undefined).success;
    const description = type instanceof z.ZodType ? (type.description ?? "") : "";
    return { name, text: `- ${name}: (${optional ? "optional" : "required"}) ${description}` };
  });
  return [
    `## ${tool.name}`,
    `Description: ${tool.description}`,
    "Parameters:",
    ...params.map((param) => param.text),
    `- ${progressParam}: (optional) See UPDATING TASK PROGRESS.`,
    "Usage:",
    `<${tool.name}>`,
    ...[...params.map((param) => param.name), progressParam].map((name) => `<${name}>...</${name}>`),
    `</${tool.name}>`,
  ].join("\n");
}
