/** The option `--output-schema`. */
import path from "node:path";
import { UsageError } from "../usage-error.ts";

interface Given {
  "output-schema"?: string | undefined;
  resume?: string | undefined;
  continue?: boolean | undefined;
}

/**
 * The absolute path of the file. Throws UsageError for a conversation, because it has many answers and no final one for a
 * program to read.
 */
export function outputSchemaOf(values: Given, task: string | undefined, cwd: string): string | undefined {
  const { "output-schema": file, resume, continue: latest } = values;
  if (file === undefined) return undefined;
  if (task === undefined && resume === undefined && !latest)
    throw new UsageError("--output-schema requires a TASK, --resume or --continue");
  return path.resolve(cwd, file);
}
