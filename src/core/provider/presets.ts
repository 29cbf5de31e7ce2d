/** What is known of models by name, where an endpoint does not say. */

/** Families whose serving commonly lacks native tool calling; `auto` speaks XML with them from the start. */
const xmlFamilies =
  /deepseek-r1|gemma|phi-?[234]|llama-?2|codellama|starcoder|wizardcoder|vicuna|mixtral-8x7b-instruct-v0\.1/i;

export function prefersXml(model: string): boolean {
  return xmlFamilies.test(model);
}

/** Tokens; for models whose endpoint and settings say nothing. */
export const fallbackContextWindow = 128_000;
