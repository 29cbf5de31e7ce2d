/** Code with a copy button, highlighted once it is complete. While it streams, only its last group of lines changes. */
import { memo, type ReactNode, useState } from "react";
import { usePanel } from "../panel.ts";
import { Icon } from "../toolkit/icon.tsx";
import { type CodeBlock, codeOf } from "./blocks.ts";
import { useColored } from "./use-colored.ts";

/** Longer code (UTF-16 units) is not highlighted, because that would block the page for more than a frame or two. */
const MAX_COLORED_LENGTH = 60_000;

const Chunk = memo(function Chunk({ text }: { text: string }) {
  return <span className="code-chunk">{text}</span>;
});

export const StreamedCode = memo(function StreamedCode({ block }: { block: CodeBlock }) {
  if (block.closed && codeOf(block).length <= MAX_COLORED_LENGTH) {
    return <CodeText info={block.info} code={codeOf(block)} complete />;
  }
  return (
    <CodeFrame info={block.info} copied={() => codeOf(block)}>
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
  const colored = useColored(languageOf(info), text, complete && code.length <= MAX_COLORED_LENGTH);
  return (
    <CodeFrame info={info} copied={() => text}>
      {colored ?? text}
    </CodeFrame>
  );
});

function languageOf(info: string): string {
  return (/^[\w+#.-]+/.exec(info)?.[0] ?? "").toLowerCase();
}

function CodeFrame(props: { info: string; copied(): string; children: ReactNode }) {
  const { t } = usePanel();
  const [done, setDone] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(props.copied());
      setDone(true);
    } catch (error) {
      // The button keeps its initial state: nothing was copied.
      console.warn("not copied:", error);
    }
  };
  return (
    <div className="code">
      <pre className="code-text">
        <code>{props.children}</code>
      </pre>
      <div className="code-tools">
        <span className="code-language">{languageOf(props.info)}</span>
        {/* A native button: a message may contain hundreds, and each toolkit button is a dozen nodes. */}
        <button
          type="button"
          className="icon-button"
          aria-label={done ? t("Copied") : t("Copy code")}
          title={done ? t("Copied") : t("Copy code")}
          onClick={copy}
          onMouseLeave={() => setDone(false)}
          onBlur={() => setDone(false)}
        >
          <Icon name={done ? "check" : "copy"} />
        </button>
      </div>
    </div>
  );
}
