/**
 * Values of the inputs of servers (`${input:ID}`). The user is asked once: the answers are kept with the user's secrets, because
 * most of them are passwords. An environment variable `NEKODE_INPUT_ID` takes precedence.
 */
import { reasonOf } from "../../shared/reason.ts";
import { SerialQueue } from "../async.ts";
import { Interrupt, ToolError, throwIfAborted } from "../errors.ts";
import type { Secrets } from "../ports/servers.ts";
import type { ServerDefinition, ServerInput } from "./server-types.ts";

/**
 * Asks the user for a value. Resolves with undefined if they dismiss the question. `question` says what asks, in the words of the
 * configuration file. Rejects when `signal` aborts.
 */
export type AskInput = (
  server: ServerDefinition,
  input: ServerInput,
  signal: AbortSignal,
) => Promise<string | undefined>;

export interface InputSources {
  /** undefined: there is nobody to ask. */
  ask: AskInput | undefined;
  secrets: Secrets;
  environment: Readonly<Record<string, string | undefined>>;
}

export class ServerInputs {
  readonly #sources: InputSources;
  /** Servers that start at the same time may need the same value. */
  readonly #questions = new SerialQueue();

  constructor(sources: InputSources) {
    this.#sources = sources;
  }

  /** The value of an input. Rejects with ToolError if the user gives none, or with Interrupt. */
  readonly value = async (
    server: ServerDefinition,
    input: ServerInput,
    signal: AbortSignal,
  ): Promise<string> => {
    const fixed = this.#sources.environment[inputVariable(input.id)];
    if (fixed !== undefined) return fixed;
    return this.#questions.run(async () => {
      throwIfAborted(signal);
      const { ask, secrets } = this.#sources;
      const stored = await secrets.get(secretName(server, input));
      if (stored !== undefined) return stored;
      if (!ask) throw unset(server, input);
      const answer = await ask(server, input, signal).catch((error: unknown) => {
        throw signal.aborted ? new Interrupt() : error;
      });
      throwIfAborted(signal);
      if (answer === undefined) throw unanswered(server, input);
      await secrets.set(secretName(server, input), answer);
      return answer;
    });
  };

  /** The same without asking the user: rejects with ToolError if the value is not known. */
  readonly known = async (server: ServerDefinition, input: ServerInput): Promise<string> => {
    const { environment, secrets } = this.#sources;
    const value = environment[inputVariable(input.id)] ?? (await secrets.get(secretName(server, input)));
    if (value === undefined) throw unset(server, input);
    return value;
  };

  /** Whether the user entered a value that the server refers to. */
  async isEntered(server: ServerDefinition): Promise<boolean> {
    for (const input of server.inputs)
      if ((await this.#sources.secrets.get(secretName(server, input))) !== undefined) return true;
    return false;
  }

  /** Forgets the values that the server refers to, except those that `others` refer to too. */
  async forget(server: ServerDefinition, others: readonly ServerDefinition[] = []): Promise<void> {
    const shared = new Set(others.flatMap((other) => other.inputs.map((input) => secretName(other, input))));
    for (const input of server.inputs) {
      const name = secretName(server, input);
      if (!shared.has(name)) await this.#sources.secrets.delete(name);
    }
  }
}

/** The environment variable that sets an input. */
export function inputVariable(id: string): string {
  return `NEKODE_INPUT_${id.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}`;
}

/** A value belongs to one file, so that another project cannot obtain it by using the same id. */
function secretName({ file }: ServerDefinition, { id }: ServerInput): string {
  return `mcp-input:${JSON.stringify([file, id])}`;
}

function unset({ name }: ServerDefinition, { id }: ServerInput): ToolError {
  const variable = inputVariable(id);
  return new ToolError(
    `The MCP server ${name} requires a value for ${id}, and there is nobody to ask. The user can set it in the environment variable ${variable}.`,
    reasonOf("input-unset", variable),
  );
}

function unanswered({ name }: ServerDefinition, { id }: ServerInput): ToolError {
  return new ToolError(
    `The MCP server ${name} requires a value for ${id}, and the user entered none.`,
    reasonOf("input-unanswered", id),
  );
}
