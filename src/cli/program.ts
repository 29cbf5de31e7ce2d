/** What the commands of `nekode` share: the screen, the language, and the user's configuration. */
import { closeSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { messageOf } from "../core/errors.ts";
import type { Log } from "../core/ports/system.ts";
import { defaultConfigDir } from "../node/config/config-dir.ts";
import type { UserConfig } from "../node/config/user-config.ts";
import { UserConfigFile } from "../node/config/user-config-file.ts";
import type { Settings } from "../shared/settings.ts";
import { type Translate, translator } from "../shared/words/task-words.ts";
import * as z from "../shared/zod.ts";
import { unknownKeyText } from "./config/config-words.ts";
import { EXIT_CODE } from "./run.ts";
import { createScreen, oneLine, type Screen } from "./screen.ts";
import type { ProgramIo } from "./start/program-io.ts";
import { UsageError } from "./usage-error.ts";

/** The product's dist/. */
export const programDir = __dirname;
export const assetsDir = path.join(programDir, "wasm");

/** What the commands of one run share. */
export interface ProgramContext extends ProgramIo, KeyedEnvironment {
  screen: Screen;
  t: Translate;
  log: Log;
}

export async function programContext(io: ProgramIo): Promise<ProgramContext> {
  const keyed = readPipedKeys(io.environment);
  const { LC_ALL, LC_MESSAGES, LANG = "" } = keyed.environment;
  const screen = createScreen(io.stdout, io.stderr);
  const log: Log = {
    info: () => undefined,
    error: (text, cause) =>
      void screen.err(`nekode: ${text}${cause === undefined ? "" : `: ${messageOf(cause)}`}\n`),
  };
  return {
    ...io,
    ...keyed,
    screen,
    log,
    t: translator(/^ja/i.test(LC_ALL ?? LC_MESSAGES ?? LANG) ? (await import("./japanese.ts")).japanese : {}),
  };
}

export function configFileIn(
  { environment }: ProgramContext,
  configDir = defaultConfigDir(environment),
): UserConfigFile | undefined {
  return configDir === undefined ? undefined : new UserConfigFile(configDir);
}

/** Allows commands that begin with `entry` for the rest of this run, and stores that in the user's configuration. */
export async function allowAlways(
  entry: string,
  { commands }: Settings,
  file: UserConfigFile | undefined,
): Promise<void> {
  if (commands.allow.includes(entry)) return;
  commands.allow.push(entry);
  if (!file) return;
  const stored = (await file.read()).config.commands?.allow ?? [];
  if (!stored.includes(entry)) await file.set(["commands", "allow"], [...stored, entry]);
}

/** The user's configuration. Help does not depend on it. */
export async function configOf(
  { screen, t }: ProgramContext,
  args: readonly string[],
  file: UserConfigFile | undefined,
): Promise<UserConfig> {
  const needsNone = args.some((arg) => ["--help", "-h", "--version"].includes(arg));
  if (needsNone || !file) return {};
  const { config, unknown } = await file.read();
  for (const each of unknown) await screen.err(`nekode: ${oneLine(unknownKeyText(t, file.path, each))}\n`);
  return config;
}

export function folderAt(root: string): string {
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`--cwd is not a folder: ${root}`);
  return root;
}

export async function printAll(context: ProgramContext, parts: AsyncIterable<string>): Promise<number> {
  for await (const part of parts) await print(context, part);
  return EXIT_CODE.completed;
}

export async function print({ screen }: ProgramContext, text: string): Promise<number> {
  await screen.out(text);
  return EXIT_CODE.completed;
}

/** The variable that names the descriptor of the pipe. */
const DESCRIPTOR = "NEKODE_KEYS_FD";

const keysSchema = z.record(z.string().check(z.regex(/^[A-Za-z_]\w*$/)), z.string());

interface KeyedEnvironment {
  /** The environment without the keys, for processes. */
  environment: NodeJS.ProcessEnv;
  /** The environment with the keys. It is not passed to any process that a command can start or read. */
  withKeys: NodeJS.ProcessEnv;
}

/**
 * Keys that come through a pipe: a JSON object with a key for each variable. The environment of this process, which each command
 * of the agent can read, is without them. Reads the pipe to its end and closes it. An invalid
 * descriptor counts as no keys, and so does what is not such an object.
 */
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
