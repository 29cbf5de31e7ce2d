/** Code in a line. Names of files and symbols are links. */
import { LinkTo } from "./link.tsx";
import { codeTarget } from "./links.ts";

export function InlineCode({ text, inLink }: { text: string; inLink: boolean }) {
  const target = inLink ? null : codeTarget(text);
  const code = <code>{text}</code>;
  return target ? <LinkTo target={target}>{code}</LinkTo> : code;
}
