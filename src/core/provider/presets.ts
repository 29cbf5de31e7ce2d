/** Facts about models by name, used if an endpoint does not report them. */

/** Families that are commonly served without native tool calling; `auto` uses XML for them from the start. */
const XML_FAMILIES =
  /deepseek-r1|gemma|phi-?[234]|llama-?2|codellama|starcoder|wizardcoder|vicuna|mixtral-8x7b-instruct-v0\.1/i;

export function prefersXml(model: string): boolean {
  return XML_FAMILIES.test(model);
}

/** In tokens; used if neither the endpoint nor the settings specify a window. */
export const FALLBACK_CONTEXT_WINDOW = 128_000;

/** Text-only families. An endpoint refuses a request with an image for them, and every later request as well. */
const TEXT_ONLY =
  /gpt-3\.5|gpt-4(?:-0\d{3}|-32k.*)?$|gpt-oss|claude-(?:2|instant)|grok-[23](?!.*vision)|gemma(?!-?[34])|o1-(?:mini|preview)|o3-mini|deepseek(?!.*(?:vl|janus|ocr))|qwen(?!.*(?:vl|omni|vision|image|3\.5))|qwq|coder|codestral|devstral|codellama|llama-?(?:2|3(?![.-]2.*vision))(?!.*vision)|mi[sx]tral-(?:7b|8x|nemo|large-24)|mixtral|command-(?:r|a(?!.*vision))|phi-?(?:[23]|4(?!.*multimodal))(?!.*vision)|glm-(?:4(?!.*v)|5(?!.*v))|kimi-k2(?!\.5)|granite|starcoder|nemotron|minimax-m|embed/i;

/** Whether a model with this name accepts images, as far as its name shows. */
export function seesImages(model: string): boolean {
  return !TEXT_ONLY.test(model);
}
