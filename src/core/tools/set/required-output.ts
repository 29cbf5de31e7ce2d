/**
 * A final answer for programs: a JSON value that matches a schema of the user. The tools that end a turn with an answer get a
 * parameter for it. If a value does not match the schema, the result says what is wrong.
 */
import { isRecord } from "../../assistant/record.ts";
import { ProviderError } from "../../errors.ts";
import type { Tool } from "../tool.ts";
import { underProperty } from "./schema-references.ts";
import type { ToolInput } from "./tool-input.ts";

/** The parameter that contains the value. */
export const OUTPUT_PARAM = "output";

/** Number of answers that do not match, after which a run fails. */
const MOST_REFUSALS = 3;

/** What a final answer must be. */
export interface OutputSchema {
  /** A JSON schema. */
  schema: Readonly<Record<string, unknown>>;
  /** What does not fit, and where, worded for the model; undefined: the value fits. */
  problem(value: unknown): string | undefined;
}

export class RequiredOutput {
  readonly #schema: OutputSchema;
  readonly #offered = new Map<Tool, Tool>();
  #value: { json: unknown } | undefined;
  #refusals = 0;

  constructor(schema: OutputSchema) {
    this.#schema = schema;
  }

  /** The value of the last final answer; undefined: there is none yet. */
  get value(): { json: unknown } | undefined {
    return this.#value;
  }

  /** The tool as the model gets it: with the parameter, if a call of it is a final answer. The same object each time. */
  offered(tool: Tool): Tool {
    if (!isAnswer(tool)) return tool;
    let known = this.#offered.get(tool);
    if (known === undefined) {
      known = { ...tool, input: withOutput(tool, this.#schema.schema) };
      this.#offered.set(tool, known);
    }
    return known;
  }

  /**
   * Takes the value of a call that would end the turn. Returns what is wrong with it; undefined: it fits, or the call is no
   * answer. The value may also be in the parameter that contains the text for the user.
   */
  ofCall(tool: Tool, params: Readonly<Record<string, unknown>>): string | undefined {
    if (!isAnswer(tool)) return undefined;
    const given = params[OUTPUT_PARAM];
    if (given !== undefined) return this.#take(given);
    const words = params[tool.presentation.shows?.text ?? ""];
    if (typeof words === "string" && this.#take(words) === undefined) return undefined;
    return `the parameter ${OUTPUT_PARAM} is missing`;
  }

  /** Takes the value of a reply without a call, which may be JSON alone. Returns what is wrong with it; undefined: it fits. */
  ofReply(text: string): string | undefined {
    const json = /^\s*```\w*\n([\s\S]*)\n```\s*$/.exec(text)?.[1] ?? text;
    return fromText(json) === undefined ? "the reply is not JSON" : this.#take(json);
  }

  /** Counts an answer that did not fit. Throws ProviderError after too many. */
  refuse(problem: string): void {
    this.#refusals++;
    if (this.#refusals < MOST_REFUSALS) return;
    this.#refusals = 0;
    throw new ProviderError({ code: "misfit-output", detail: problem });
  }

  /** Under the XML protocol, and from some models otherwise too, values come as text. */
  #take(given: unknown): string | undefined {
    const parsed = typeof given === "string" ? fromText(given) : undefined;
    // The quotes around a text are not part of the value.
    const candidates = typeof parsed?.json === "string" ? [parsed.json, given] : [given, parsed?.json];
    const fitting = candidates.find(
      (value) => value !== undefined && this.#schema.problem(value) === undefined,
    );
    if (fitting === undefined) return this.#schema.problem(parsed === undefined ? given : parsed.json);
    this.#value = { json: fitting };
    this.#refusals = 0;
    return undefined;
  }
}

/** Whether a call of the tool is an answer. A question also ends the turn, but is no answer. */
function isAnswer({ turnEnd }: Tool): boolean {
  return turnEnd === "completed" || turnEnd === "planned";
}

function fromText(text: string): { json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function withOutput(tool: Tool, schema: Readonly<Record<string, unknown>>): ToolInput {
  const { input } = tool;
  // A call that only continues the task, such as one for more exploration, has no answer yet.
  const required = tool.continuation === undefined;
  const said = required ? "" : " Required in the final answer.";
  const description = `The final answer for programs, which read nothing else: JSON that fits the schema.${said}`;
  const { properties, required: others } = input.schema;
  const names = Array.isArray(others) ? others : [];
  return {
    schema: {
      ...input.schema,
      properties: {
        ...(isRecord(properties) ? properties : {}),
        [OUTPUT_PARAM]: { description, ...underProperty(schema, OUTPUT_PARAM) },
      },
      ...(required ? { required: [...names, OUTPUT_PARAM] } : {}),
    },
    params: [
      ...input.params,
      {
        name: OUTPUT_PARAM,
        required,
        text: false,
        form: "",
        description: `${description} The schema: ${JSON.stringify(schema)}`,
      },
    ],
    parse: ({ [OUTPUT_PARAM]: output, ...raw }) => {
      const parsed = input.parse(raw);
      if (!parsed.ok) return { ok: false, error: `${parsed.error} Also: ${OUTPUT_PARAM}.` };
      return { ok: true, value: output === undefined ? parsed.value : { ...parsed.value, output } };
    },
    check(value) {
      const parsed = isRecord(value) ? this.parse(value) : undefined;
      if (parsed?.ok) return parsed.value;
      throw new Error(parsed?.error ?? "not an object");
    },
  };
}
