/**
 * Code with its buttons, highlighted once it is complete; diagrams are then drawn, and formulas typeset. While code streams, only
 * its last group of lines changes.
 */
import { memo, type ReactNode } from "react";
import { MathText } from "../math/math.tsx";
import { onDemand } from "../on-demand.tsx";
import { type CodeBlock, codeText } from "./blocks.ts";
import { CodeFrame, codeLanguage } from "./code-frame.tsx";
import { useColored } from "./use-colored.ts";

const Diagram = onDemand(() => import("../diagrams/diagram.tsx"));

/** Longer code (UTF-16 units) is not highlighted, because that would block the page for more than a frame or two. */
const MAX_COLORED_LENGTH = 60_000;

const Chunk = memo(function Chunk({ text }: { text: string }) {
  return <span className="code-chunk">{text}</span>;
});

export const StreamedCode = memo(function StreamedCode({ block }: { block: CodeBlock }) {
  if (block.closed && codeText(block).length <= MAX_COLORED_LENGTH) {
    return <CodeText info={block.info} code={codeText(block)} complete />;
  }
  return (
    <CodeFrame info={block.info} copied={() => codeText(block)}>
      {block.chunks.map((chunk, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: groups are only appended
        <Chunk key={index} text={chunk} />
      ))}
      <Chunk text={block.rest} />
    </CodeFrame>
  );
});

export const CodeText = memo(function CodeText(props: { info: string; code: string; complete: boolean }) {
  const { info, code, complete } = props;
  const text = code.endsWith("\n") ? code.slice(0, -1) : code;
  const language = codeLanguage(info);
  const colored = useColored(language, text, complete && code.length <= MAX_COLORED_LENGTH);
  if (complete && language === "math") {
    return <MathText tex={text} source={`$$\n${text}\n$$`} display />;
  }
  const shown = (
    <CodeFrame info={info} copied={() => text}>
      {colored ?? text}
    </CodeFrame>
  );
  return complete && language === "mermaid" ? <DiagramText source={text}>{shown}</DiagramText> : shown;
});

function DiagramText({ source, children }: { source: string; children: ReactNode }) {
  return (
    <Diagram source={source} fallback={children}>
      {children}
    </Diagram>
  );
}
