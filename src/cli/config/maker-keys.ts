/**
 * Keys in the environment. A provider's variable is used only for the provider's own address, so that no other endpoint ever
 * receives that key.
 */
import {
  type ApiKind,
  type Connection,
  connectionSchema,
  DEFAULT_CONNECTION,
} from "../../shared/models/connection.ts";

interface Maker {
  /** The name of the maker's connection. */
  name: string;
  variable: string;
  baseUrl: string;
  /** Default: chat completions. */
  api?: ApiKind;
}

const MAKERS: readonly Maker[] = [
  { name: "openai", variable: "OPENAI_API_KEY", baseUrl: "https://api.openai.com/v1" },
  {
    name: "anthropic",
    variable: "ANTHROPIC_API_KEY",
    baseUrl: "https://api.anthropic.com/v1",
    api: "anthropic",
  },
  {
    name: "gemini",
    variable: "GEMINI_API_KEY",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
  },
  { name: "openrouter", variable: "OPENROUTER_API_KEY", baseUrl: "https://openrouter.ai/api/v1" },
  { name: "mistral", variable: "MISTRAL_API_KEY", baseUrl: "https://api.mistral.ai/v1" },
  { name: "deepseek", variable: "DEEPSEEK_API_KEY", baseUrl: "https://api.deepseek.com/v1" },
  { name: "groq", variable: "GROQ_API_KEY", baseUrl: "https://api.groq.com/openai/v1" },
  { name: "xai", variable: "XAI_API_KEY", baseUrl: "https://api.x.ai/v1" },
];

/**
 * Returns the key of a connection: from the variable that it names, otherwise NEKODE_API_KEY for the address of the
 * command line, otherwise the maker's own variable.
 */
export function keyInEnvironment(
  { name, keyEnv, baseUrl }: Pick<Connection, "name" | "keyEnv" | "baseUrl">,
  env: NodeJS.ProcessEnv,
): string | undefined {
  if (keyEnv !== undefined) return env[keyEnv]?.trim() || undefined;
  const own = name === DEFAULT_CONNECTION ? env.NEKODE_API_KEY?.trim() : undefined;
  return own || (makerKey(baseUrl, env) ?? undefined);
}

function makerKey(baseUrl: string, env: NodeJS.ProcessEnv): string | undefined {
  const address = baseUrl.trim();
  if (!URL.canParse(address)) return undefined;
  const { origin } = new URL(address);
  const maker = MAKERS.find((each) => new URL(each.baseUrl).origin === origin);
  return (maker && env[maker.variable]?.trim()) || undefined;
}

/** Returns connections to the makers whose keys are in the environment, without names that are taken. */
export function makerConnections(env: NodeJS.ProcessEnv, taken: readonly Connection[]): Connection[] {
  return MAKERS.filter(
    ({ name, variable }) => env[variable]?.trim() && !taken.some((each) => each.name === name),
  ).map(({ name, variable, baseUrl, api }) =>
    connectionSchema.parse({ name, baseUrl, api, keyEnv: variable }),
  );
}
