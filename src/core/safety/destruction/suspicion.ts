/** Checks whether text that cannot be parsed mentions programs that destroy. */
import { fileDestroyers } from "./file-destroyers.ts";

const names = [...fileDestroyers.keys()].map((name) => name.replace(/[^\w-]/g, "\\$&")).join("|");
const SUSPICIOUS = new RegExp(
  `(?<![\\w./-])(?:${names}|remove-item|clear-content|set-content|move-item|del|erase|rd|ren)(?![\\w-])|\\bgit\\b[\\s\\S]*\\b(?:clean|reset|checkout|restore|stash|switch|rm|mv|apply)\\b|-delete\\b|(?<![-=<0-9&])>(?!\\s*(?:&|/dev/null))`,
  "i",
);

export function looksDestroying(text: string): boolean {
  return SUSPICIOUS.test(text);
}
