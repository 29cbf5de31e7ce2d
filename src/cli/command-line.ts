/** Parses a command line by a table of its options. */
import { type ParseArgsConfig, parseArgs } from "node:util";
import { messageOf } from "../core/errors.ts";
import { UsageError } from "./usage-error.ts";

/** The options that say how the agent works, in a run and in each task of a batch. */
export const AGENT_OPTIONS = {
  "base-url": { type: "string" },
  api: { type: "string" },
  model: { type: "string" },
  protocol: { type: "string" },
  "context-window": { type: "string" },
  "max-output-tokens": { type: "string" },
  temperature: { type: "string" },
  mode: { type: "string" },
  agent: { type: "string" },
  approve: { type: "string" },
  permission: { type: "string" },
  sandbox: { type: "string" },
  memory: { type: "string" },
  "private-hosts": { type: "string" },
  "search-provider": { type: "string" },
  "search-url": { type: "string" },
  "max-requests": { type: "string" },
  "data-dir": { type: "string" },
  "config-dir": { type: "string" },
} as const;

/** Throws UsageError for an option that is not in `options`, or that has a missing or surplus value. */
export function commandLine<const Options extends NonNullable<ParseArgsConfig["options"]>>(
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

/** Throws UsageError for a text that is none of the values. */
export function oneOf<T extends string>(
  name: string,
  text: string | undefined,
  values: readonly T[],
): T | undefined {
  if (text === undefined) return undefined;
  const value = values.find((candidate) => candidate === text);
  if (value === undefined)
    throw new UsageError(`${name} must be one of ${values.join(", ")}, not ${JSON.stringify(text)}`);
  return value;
}
