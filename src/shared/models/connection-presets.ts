/** Ready-made connections: what is known about an endpoint before the user adds it. Data only. */
import type { EndpointApi } from "./connection.ts";
import type { PresetId } from "./preset-ids.ts";

export interface ConnectionPreset {
  id: PresetId;
  /** A product's name, the same in every language; "Other" is translated by the panel. */
  title: string;
  /** The name of the connection, unless it is taken. */
  name: string;
  api: EndpointApi;
  /** Up to and including the version segment; "" if there is no usual address. */
  baseUrl: string;
  /** The part of the address that the user must replace. */
  placeholder?: string;
  needsKey: boolean;
  /** The page where the user creates keys. */
  keyPage?: string;
  /** The prefix of the provider's keys, if it distinguishes them from all others. */
  keyPrefixes?: readonly string[];
  /** The port on which a local server listens unless configured otherwise. */
  port?: number;
}

export const CONNECTION_PRESETS: readonly ConnectionPreset[] = [
  {
    id: "openai",
    title: "OpenAI",
    name: "openai",
    api: "responses",
    baseUrl: "https://api.openai.com/v1",
    needsKey: true,
    keyPage: "https://platform.openai.com/api-keys",
    keyPrefixes: ["sk-proj-", "sk-svcacct-", "sk-admin-"],
  },
  {
    id: "anthropic",
    title: "Anthropic",
    name: "anthropic",
    api: "anthropic",
    baseUrl: "https://api.anthropic.com/v1",
    needsKey: true,
    keyPage: "https://console.anthropic.com/settings/keys",
    keyPrefixes: ["sk-ant-"],
  },
  {
    id: "gemini",
    title: "Google Gemini",
    name: "gemini",
    api: "chat",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
    needsKey: true,
    keyPage: "https://aistudio.google.com/apikey",
    keyPrefixes: ["AIza"],
  },
  {
    id: "openrouter",
    title: "OpenRouter",
    name: "openrouter",
    api: "chat",
    baseUrl: "https://openrouter.ai/api/v1",
    needsKey: true,
    keyPage: "https://openrouter.ai/settings/keys",
    keyPrefixes: ["sk-or-"],
  },
  {
    id: "mistral",
    title: "Mistral",
    name: "mistral",
    api: "chat",
    baseUrl: "https://api.mistral.ai/v1",
    needsKey: true,
    keyPage: "https://console.mistral.ai/api-keys",
  },
  {
    id: "deepseek",
    title: "DeepSeek",
    name: "deepseek",
    api: "chat",
    baseUrl: "https://api.deepseek.com/v1",
    needsKey: true,
    keyPage: "https://platform.deepseek.com/api_keys",
  },
  {
    id: "groq",
    title: "Groq",
    name: "groq",
    api: "chat",
    baseUrl: "https://api.groq.com/openai/v1",
    needsKey: true,
    keyPage: "https://console.groq.com/keys",
    keyPrefixes: ["gsk_"],
  },
  {
    id: "xai",
    title: "xAI",
    name: "xai",
    api: "chat",
    baseUrl: "https://api.x.ai/v1",
    needsKey: true,
    keyPage: "https://console.x.ai",
    keyPrefixes: ["xai-"],
  },
  {
    id: "azure",
    title: "Azure OpenAI",
    name: "azure",
    api: "chat",
    baseUrl: "https://YOUR-RESOURCE.openai.azure.com/openai/v1",
    placeholder: "YOUR-RESOURCE",
    needsKey: true,
    keyPage: "https://ai.azure.com",
  },
  {
    id: "github",
    title: "GitHub Models",
    name: "github",
    api: "chat",
    baseUrl: "https://models.github.ai/inference",
    needsKey: true,
    keyPage: "https://github.com/settings/personal-access-tokens/new?user_models=read",
    keyPrefixes: ["github_pat_", "ghp_", "gho_"],
  },
  {
    id: "ollama",
    title: "Ollama",
    name: "ollama",
    api: "chat",
    baseUrl: "http://127.0.0.1:11434/v1",
    needsKey: false,
    port: 11434,
  },
  {
    id: "lmstudio",
    title: "LM Studio",
    name: "lmstudio",
    api: "chat",
    baseUrl: "http://127.0.0.1:1234/v1",
    needsKey: false,
    port: 1234,
  },
  {
    id: "llamacpp",
    title: "llama.cpp",
    name: "llamacpp",
    api: "chat",
    baseUrl: "http://127.0.0.1:8080/v1",
    needsKey: false,
    port: 8080,
  },
  {
    id: "vllm",
    title: "vLLM",
    name: "vllm",
    api: "chat",
    baseUrl: "http://127.0.0.1:8000/v1",
    needsKey: false,
    port: 8000,
  },
  { id: "other", title: "Other", name: "endpoint", api: "chat", baseUrl: "", needsKey: false },
];

export function presetOf(id: PresetId): ConnectionPreset {
  const preset = CONNECTION_PRESETS.find((each) => each.id === id);
  if (!preset) throw new Error(`there is no preset ${id}`);
  return preset;
}

/** The preset with the same host. An address identifies the provider better than the preset that the user chose. */
export function presetAt(baseUrl: string): ConnectionPreset | undefined {
  const host = hostOf(baseUrl);
  return CONNECTION_PRESETS.find((preset) => !preset.port && host !== "" && hostOf(preset.baseUrl) === host);
}

/** What a connection that no preset knows is called: its host, which the user recognizes. */
export function hostName(baseUrl: string): string | undefined {
  const host = hostOf(baseUrl);
  if (["localhost", "127.0.0.1", "[::1]"].includes(host)) return "local";
  return host === "" || host.includes(":") ? undefined : host;
}

/** The provider of this key, if its prefix identifies one. */
export function makerOfKey(key: string): ConnectionPreset | undefined {
  return CONNECTION_PRESETS.find(({ keyPrefixes = [] }) =>
    keyPrefixes.some((start) => key.startsWith(start)),
  );
}

function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).hostname : "";
}
