/**
 * Values of the inputs of servers (`${input:ID}`). The user is asked once: the answers are kept with the user's secrets, because
 * most of them are passwords. An environment variable `NEKODE_INPUT_ID` takes precedence.
 */
import { reasonOf } from "../../shared/reason.ts";
import { Interrupt, ToolError, throwIfAborted } from "../errors.ts";
import type { Secrets } from "../ports/servers.ts";
import { SerialQueue } from "../serial-queue.ts";
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
      const kept = await secrets.get(secretName(server, input));
      if (kept !== undefined) return kept;
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

  /** Forgets the values that the server refers to, so that the user is asked again. */
  async forget(server: ServerDefinition): Promise<void> {
    for (const input of server.inputs) await this.#sources.secrets.delete(secretName(server, input));
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
