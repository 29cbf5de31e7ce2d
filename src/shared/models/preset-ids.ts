/** The names of the ready-made connections. Their data is in a file of its own, which the panel loads on demand. */
import * as z from "../zod.ts";

export const presetIdSchema = z.enum([
  "openai",
  "anthropic",
  "gemini",
  "openrouter",
  "mistral",
  "deepseek",
  "groq",
  "xai",
  "azure",
  "github",
  "ollama",
  "lmstudio",
  "llamacpp",
  "vllm",
  "other",
]);
export type PresetId = z.infer<typeof presetIdSchema>;
