// The variables of a workflow that are keys which nekode reads.
import { readFileSync } from "node:fs";
import path from "node:path";

/** Of the endpoint, of the search provider, and of the makers in src/cli/config/maker-keys.ts. */
const KEYS = [
  ...["NEKODE_API_KEY", "NEKODE_SEARCH_API_KEY"],
  ...["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY", "MISTRAL_API_KEY"],
  ...["DEEPSEEK_API_KEY", "GROQ_API_KEY", "XAI_API_KEY"],
];

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {{ keys: Record<string, string>, others: NodeJS.ProcessEnv }}
 */
export function withoutKeys(env) {
  const names = new Set([...KEYS, ...configuredNames(env)]);
  /** @type {Record<string, string>} */
  const keys = {};
  /** @type {NodeJS.ProcessEnv} */
  const others = {};
  for (const [name, value = ""] of Object.entries(env))
    if (!names.has(name)) others[name] = value;
    else if (value !== "") keys[name] = value;
  return { keys, others };
}

/** The variables that connections of the runner's own configuration name. nekode checks the file. @param {NodeJS.ProcessEnv} env */
function configuredNames(env) {
  const { NEKODE_CONFIG_DIR, XDG_CONFIG_HOME, HOME = "/" } = env;
  const folders = NEKODE_CONFIG_DIR
    ? [NEKODE_CONFIG_DIR]
    : [
        ...(XDG_CONFIG_HOME ? [path.join(XDG_CONFIG_HOME, "nekode")] : []),
        path.join(HOME, ".config/nekode"),
        path.join(HOME, "Library/Application Support/nekode"),
      ];
  return folders.flatMap((folder) =>
    [...textOf(path.join(folder, "config.json")).matchAll(/"keyEnv"\s*:\s*"([A-Za-z_]\w*)"/g)].flatMap(
      ([, name = ""]) => name,
    ),
  );
}

/** @param {string} file */
function textOf(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
