/**
 * Checks structured content against the schema that the tool declares. The SDK would reject a call whose content does not fit,
 * although the tool has run; here, the result is kept, with a note about the difference.
 */
import { runInNewContext } from "node:vm";
import { messageOf } from "../../../core/errors.ts";
import { boundedText } from "../../../core/servers/server-text.ts";
import * as z from "../../../shared/zod.ts";
import type * as McpSdk from "../mcp-sdk.ts";
import type { ServerLog } from "../server-log.ts";
import type { ListPage } from "./server-lists.ts";

/** Characters of a schema as JSON, and of all; larger ones are not checked. */
const SCHEMA = 100_000;
const ALL_SCHEMAS = 5_000_000;
/** Characters of a message about a difference. */
const DIFFERENCE = 500;
/** Maximum milliseconds of one check. A server's schema and content can make a check take arbitrarily long. */
const CHECK_MS = 500;

const toolsSchema = z.array(z.unknown());
const toolSchema = z.looseObject({ name: z.string(), outputSchema: z.record(z.string(), z.unknown()) });

type Check = ReturnType<McpSdk.AjvJsonSchemaValidator["getValidator"]>;
type Outcome = ReturnType<Check>;

export interface StructuredResult {
  structuredContent?: unknown;
  isError?: boolean | undefined;
}

/** The output schemas of one list of tools. */
export class OutputSchemas {
  readonly #sdk: Pick<typeof McpSdk, "AjvJsonSchemaValidator">;
  readonly #log: Pick<ServerLog, "add">;
  readonly #schemas = new Map<string, Record<string, unknown>>();
  /** Characters of the schemas. */
  #size = 0;
  /** "unusable": the schema is not valid, or took too long. */
  readonly #checks = new Map<string, Check | "unusable">();

  constructor(sdk: Pick<typeof McpSdk, "AjvJsonSchemaValidator">, log: Pick<ServerLog, "add">) {
    this.#sdk = sdk;
    this.#log = log;
  }

  /** Remembers the schemas of a page of the list of tools. */
  add(page: ListPage): void {
    for (const entry of toolsSchema.safeParse(page.tools).data ?? []) {
      const tool = toolSchema.safeParse(entry).data;
      if (!tool || this.#schemas.has(tool.name)) continue;
      const size = sizeOf(tool.outputSchema);
      if (size > SCHEMA || this.#size + size > ALL_SCHEMAS) continue;
      this.#size += size;
      this.#schemas.set(tool.name, tool.outputSchema);
    }
  }

  /** How the result differs from what the tool declares, in English, with words of the server; undefined: it does not. */
  mismatch(tool: string, { structuredContent, isError }: StructuredResult): string | undefined {
    const schema = this.#schemas.get(tool);
    // An error need not have the form of a result.
    if (schema === undefined || isError === true) return undefined;
    if (structuredContent === undefined)
      return "The tool declares structured content, but the server sent none.";
    try {
      const found = bounded(() => this.#checkOf(tool, schema)(structuredContent));
      if (found.valid) return undefined;
      const difference = boundedText(found.errorMessage ?? "", DIFFERENCE);
      return `The structured content does not fit the schema that the tool declares (${difference}). It is included as the server sent it.`;
    } catch (error) {
      this.#checks.set(tool, "unusable");
      this.#log.add(`The structured content of ${tool} cannot be checked: ${messageOf(error)}`);
      return undefined;
    }
  }

  #checkOf(tool: string, schema: Record<string, unknown>): Check {
    const known = this.#checks.get(tool);
    if (known === "unusable") return (input) => ({ valid: true, data: input, errorMessage: undefined });
    if (known) return known;
    const check: Check = new this.#sdk.AjvJsonSchemaValidator().getValidator(schema);
    this.#checks.set(tool, check);
    return check;
  }
}

function sizeOf(schema: Record<string, unknown>): number {
  try {
    return JSON.stringify(schema).length;
  } catch {
    // Nested too deeply.
    return Number.POSITIVE_INFINITY;
  }
}

/** Throws an error if `work` takes too long, also within a regular expression. */
function bounded(work: () => Outcome): Outcome {
  const outcomes: Outcome[] = [];
  const run = () => {
    outcomes.push(work());
  };
  runInNewContext("run()", { run }, { timeout: CHECK_MS });
  const [outcome] = outcomes;
  if (!outcome) throw new Error("there is no result");
  return outcome;
}
