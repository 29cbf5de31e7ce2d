/** Errors of MCP servers: a reason in the user's language, and the same in English for the model. */
import { type Fault, reasonOf } from "../../shared/reason.ts";
import { reasonInEnglish } from "../../shared/words/reasons/reasons.ts";
import { faultOf, ToolError } from "../errors.ts";
import { boundedText } from "./server-text.ts";

/** Characters of a value that comes from a server, the system or a library. */
const VALUE = 1_000;

/** A server could not be started, reached or used. */
export class ServerError extends ToolError {
  /** The last lines that a local server printed; "": none. */
  readonly output: string;

  constructor(
    readonly server: string,
    override readonly fault: Fault,
    { output = "", note = "" }: { output?: string /** A sentence for the model. */; note?: string } = {},
  ) {
    const reason = `MCP server ${server}: ${reasonInEnglish(fault)}.`;
    super([[reason, note].filter((part) => part !== "").join(" "), ...outputLines(output)].join("\n"), fault);
    this.output = output;
  }
}

/** The server no longer knows the session, so it did nothing. The connection is closed; the next one starts another session. */
export class SessionLostError extends ServerError {}

/** A value of a reason with external text: cleaned, bounded and never empty. */
export function quotedValue(text: string): string {
  return boundedText(text, VALUE) || "?";
}

/** Why a server failed. `output`: the last lines that it printed. */
export interface ServerFailure {
  reason: Fault;
  output?: string;
}

export function failureOf(error: unknown): ServerFailure {
  const output = error instanceof ServerError ? error.output : "";
  return { reason: faultOf(error), ...(output === "" ? {} : { output }) };
}

/** The values of a notice about a failure of a server. */
export function noticeValues(server: string, { reason, output = "" }: ServerFailure): string[] {
  const { code, values } = reason;
  return [server, code, values[0] ?? "", output];
}

/** For the model and for logs. */
export function failureInEnglish({ reason, output = "" }: ServerFailure): string {
  return [reasonInEnglish(reason), ...outputLines(output)].join("\n");
}

function outputLines(output: string): string[] {
  return output === "" ? [] : [`Its last output:\n${output}`];
}

export function unknownServer(name: string, names: readonly string[]): ToolError {
  const others = names.length > 0 ? `Configured servers: ${names.join(", ")}.` : "No server is configured.";
  return new ToolError(`There is no MCP server named ${name}. ${others}`, reasonOf("mcp-unknown", name));
}
