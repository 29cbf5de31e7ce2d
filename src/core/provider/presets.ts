/** What is known of models by name, where an endpoint does not say. */

/** Families whose serving commonly lacks native tool calling; `auto` speaks XML with them from the start. */
const xmlFamilies =
  /deepseek-r1|gemma|phi-?[234]|llama-?2|codellama|starcoder|wizardcoder|vicuna|mixtral-8x7b-instruct-v0\.1/i;

export function prefersXml(model: string): boolean {
  return xmlFamilies.test(model);
}

/** Tokens; for models whose endpoint and settings say nothing. */
export const fallbackContextWindow = 128_000;

/** Families that read text only. An endpoint refuses a request with an image for them, and every later one too. */
const textOnly =
  /gpt-3\.5|gpt-4(?:-0\d{3}|-32k.*)?$|gpt-oss|claude-(?:2|instant)|grok-[23](?!.*vision)|gemma(?!-?[34])|o1-(?:mini|preview)|o3-mini|deepseek(?!.*(?:vl|janus|ocr))|qwen(?!.*(?:vl|omni|vision|image|3\.5))|qwq|coder|codestral|devstral|codellama|llama-?(?:2|3(?![.-]2.*vision))(?!.*vision)|mi[sx]tral-(?:7b|8x|nemo|large-24)|mixtral|command-(?:r|a(?!.*vision))|phi-?(?:[23]|4(?!.*multimodal))(?!.*vision)|glm-(?:4(?!.*v)|5(?!.*v))|kimi-k2(?!\.5)|granite|starcoder|nemotron|minimax-m|embed/i;

/** Whether a model of that name takes images, as far as names tell. */
export function seesImages(model: string): boolean {
  return !textOnly.test(model);
}
