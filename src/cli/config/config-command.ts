/** `nekode config`: shows and changes the configuration file. */
import { ConfigError, type PathStep, pathText } from "../../node/config/user-config.ts";
import { type KeyPath, UserConfigFile } from "../../node/config/user-config-file.ts";
import { machinePolicy } from "../../node/policy/machine-policy.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import { tellManaged } from "../policy/policy-command.ts";
import { EXIT_CODE } from "../run.ts";
import { oneLine, type Screen } from "../screen.ts";
import { UsageError } from "../usage-error.ts";
import type { ConfigAction } from "./config-options.ts";
import { configErrorText, unknownKeyText } from "./config-words.ts";

export interface ConfigCommand {
  screen: Screen;
  t: Translate;
}

/** Resolves with the exit code. Rejects with ConfigError if the file, or the new value, cannot be used. */
export async function runConfig(
  action: Exclude<ConfigAction, { kind: "help" }>,
  configDir: string,
  { screen, t }: ConfigCommand,
): Promise<number> {
  const file = new UserConfigFile(configDir);
  switch (action.kind) {
    case "show": {
      const { config, unknown } = await file.read();
      await screen.err(`${file.path}\n`);
      for (const [path, value] of leaves(config, []))
        await screen.out(`${oneLine(pathText(path))} = ${oneLine(JSON.stringify(value))}\n`);
      for (const each of unknown)
        await screen.err(`nekode: ${oneLine(unknownKeyText(t, file.path, each))}\n`);
      await tellManaged(await machinePolicy(), { screen, t });
      return EXIT_CODE.completed;
    }
    case "get": {
      const value = await file.get(action.key);
      if (value === undefined) return isNotSet(action.key);
      await screen.out(`${typeof value === "string" ? oneLine(value) : oneLine(JSON.stringify(value))}\n`);
      return EXIT_CODE.completed;
    }
    case "set":
      await setValue(file, action.key, action.value, t);
      return EXIT_CODE.completed;
    case "unset":
      if (await file.unset(action.key)) return EXIT_CODE.completed;
      return isNotSet(action.key);
  }

  async function isNotSet(key: KeyPath): Promise<number> {
    await screen.err(`nekode: ${t("{0} is not set.", oneLine(pathText(key)))}\n`);
    return EXIT_CODE.error;
  }
}

async function setValue(file: UserConfigFile, key: KeyPath, text: string, t: Translate): Promise<void> {
  let failure: unknown;
  // The value "true" may be meant as text.
  for (const value of new Set([jsonOf(text), text])) {
    if (value === undefined) continue;
    try {
      const [unknown] = await file.set(key, value);
      if (unknown === undefined) return;
      throw new UsageError(t("{0} is unknown and has no effect.", pathText(unknown)));
    } catch (error) {
      if (!(error instanceof ConfigError) || error.fault.code !== "invalid") throw error;
      failure ??= error;
    }
  }
  throw failure;
}

type Json = Parameters<UserConfigFile["set"]>[1];

function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Values that are no objects, with their paths; a connection under its name. */
function leaves(value: unknown, path: readonly PathStep[]): [PathStep[], unknown][] {
  if (path.length === 1 && path[0] === "connections" && Array.isArray(value))
    return value.flatMap((each) => leaves(each, [...path, String(each.name)]));
  if (value === null || typeof value !== "object" || Array.isArray(value)) return [[[...path], value]];
  return Object.entries(value).flatMap(([name, inner]) => leaves(inner, [...path, name]));
}

/** Prints the fault of a configuration file. */
export function configFailure(t: Translate, error: ConfigError): string {
  return oneLine(configErrorText(t, error));
}
