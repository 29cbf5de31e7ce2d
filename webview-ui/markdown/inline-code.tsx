/** Code in a line. Names of files and symbols are links. */
import { AnswerLink } from "./link.tsx";
import { codeTarget } from "./links.ts";

export function InlineCode({ text, inLink }: { text: string; inLink: boolean }) {
  const target = inLink ? null : codeTarget(text);
  const code = <code>{text}</code>;
  if (!target) return code;
  return (
    <AnswerLink target={target} text={code}>
      {code}
    </AnswerLink>
  );
}
