/** Parses a command line by a table of its options. */
import { type ParseArgsConfig, parseArgs } from "node:util";
import { messageOf } from "../core/errors.ts";
import { UsageError } from "./usage-error.ts";

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
