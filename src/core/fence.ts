/**
 * Fences text from outside (files, output, pages, servers) with two tags whose name it does not contain, so that no part of it can
 * look like what follows. The same text always gets the same fence.
 */

/** The tag of a skill's text, by which it is recognized when a conversation is shortened. */
export const SKILL_TAG = "skill_content";

/** The tag of the chosen agent's instructions. */
export const AGENT_TAG = "agent_instructions";

/** How the system prompt names a fence. */
export const FENCE_EXAMPLE = "<data-ID>";

export function fencedData(text: string): string {
  const name = fenceName(text);
  return `<${name}>\n${text}\n</${name}>`;
}

function fenceName(text: string): string {
  for (let round = 0; ; round++) {
    const name = `data-${hashed(`${round}:${text}`)}`;
    if (!text.includes(name)) return name;
  }
}

/** FNV-1a twice, with 32 bits each. It need not resist attacks, because the text is searched for the name. */
function hashed(text: string): string {
  let a = 0x811c9dc5;
  let b = 0xcbf29ce4;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ (code + at), 0x01000193);
  }
  return ((a ^ (b >>> 3)) >>> 0).toString(36).padStart(6, "0").slice(-6);
}

/** The markup that the product puts around or before texts in a user message. */
const MARKUP =
  /<\/?(?:environment_details|feedback|task|user_message|answer|explicit_instructions|skill_content|data-)|^[ \t]*\[[^\]\n]{1,200}\] Result:/im;

/** The content of an element: fenced if it contains the element's tag, or markup of the product. */
export function elementContent(text: string, tag: string): string {
  const imitates = text.includes(`</${tag}`) || text.includes(`<${tag}`) || MARKUP.test(text);
  return imitates ? fencedData(text) : text;
}

/**
 * Prepares a text to be enclosed in `<tag>` and `</tag>`: it cannot end the tag. Unicode's tag characters are removed: they
 * are invisible, but models read them.
 */
export function outsideText(text: string, tag: string): string {
  return text.replace(/[\u{E0000}-\u{E007F}]/gu, "").replace(new RegExp(`</(?=\\s*${tag})`, "gi"), "<\\/");
}
