import { Visible } from "./visible.tsx";

/** A text of the product in which backticks mark code, as they do in Markdown. */
export function CodeParts({ text }: { text: string }) {
  return text.split(/`([^`]+)`/).map((part, index) => {
    const Part = index % 2 === 1 ? "code" : "span";
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one string have no other identity
      <Part key={index}>
        <Visible text={part} />
      </Part>
    );
  });
}
