/** Tokens without a tokenizer: an estimate by kind of character, good enough to stay clear of a limit. */

/** Characters a token, by the reference figures: Japanese and other wide scripts, and the rest. */
const wideCharactersPerToken = 1.5;
const narrowCharactersPerToken = 4;

/** Factor of safety on an estimate; tool definitions cost more than their text. */
export const tokenBuffer = { plain: 1.2, withTools: 1.5 } as const;

/** Estimated tokens of `text`, rounded up; 0 for an empty text. */
export function estimateTokens(text: string): number {
  let narrow = 0;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) < 0x2e80) narrow++;
  const wide = text.length - narrow;
  return Math.ceil(narrow / narrowCharactersPerToken + wide / wideCharactersPerToken);
}
