/**
 * Keys that come through a pipe: a JSON object with a key for each variable. The environment of this process, which each command
 * of the agent can read, is without them.
 */
import { closeSync, readFileSync } from "node:fs";
import * as z from "zod";

/** The variable that names the descriptor of the pipe. */
const DESCRIPTOR = "NEKODE_KEYS_FD";

const keysSchema = z.record(z.string().regex(/^[A-Za-z_]\w*$/), z.string());

export interface KeyedEnvironment {
  /** For processes. */
  environment: NodeJS.ProcessEnv;
  /** The environment with the keys. It is not passed to any process that a command can start or read. */
  withKeys: NodeJS.ProcessEnv;
}

/** Reads the pipe to its end and closes it. An invalid descriptor counts as no keys, and so does what is not such an object. */
export function readPipedKeys(given: NodeJS.ProcessEnv): KeyedEnvironment {
  const { [DESCRIPTOR]: named, ...environment } = given;
  const descriptor = /^\d{1,4}$/.test(named ?? "") ? Number(named) : 0;
  // Lower ones are the input and the output.
  const keys = descriptor < 3 ? undefined : keysFrom(descriptor);
  return { environment, withKeys: { ...environment, ...keys } };
}

function keysFrom(descriptor: number): z.infer<typeof keysSchema> | undefined {
  try {
    const text = readFileSync(descriptor, "utf8");
    closeSync(descriptor);
    return keysSchema.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && "code" in error)) return undefined;
    throw error;
  }
}
