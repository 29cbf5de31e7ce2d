/** A model's text. Of a growing one, only the last block is parsed and rendered again. */
import { memo, useRef, useSyncExternalStore } from "react";
import { BlockSplitter, type TextBlock } from "./blocks.ts";
import { StreamedCode } from "./code-block.tsx";
import { renderTokens } from "./nodes.tsx";

type Parse = typeof import("./parser.ts").parseMarkdown;

let parse: Parse | null = null;
const waiting = new Set<() => void>();

/** Begins to load the parser; until it is there, texts are shown as they are written. */
export function loadMarkdown(): void {
  import("./parser.ts").then(
    ({ parseMarkdown }) => {
      parse = parseMarkdown;
      for (const listener of waiting) listener();
    },
    (error: unknown) => console.warn("texts stay unformatted:", error),
  );
}

function useParser(): Parse | null {
  return useSyncExternalStore(
    (listener) => {
      waiting.add(listener);
      return () => waiting.delete(listener);
    },
    () => parse,
  );
}

const TextPart = memo(function TextPart({ block, parse }: { block: TextBlock; parse: Parse | null }) {
  return parse ? renderTokens(parse(block.text)) : <div className="md-raw">{block.text}</div>;
});

export function Markdown({ text }: { text: string }) {
  const splitter = useRef<BlockSplitter | null>(null);
  splitter.current ??= new BlockSplitter();
  const parser = useParser();
  return (
    <div className="md">
      {splitter.current
        .update(text)
        .map((block) =>
          block.kind === "code" ? (
            <StreamedCode key={block.key} block={block} />
          ) : (
            <TextPart key={block.key} block={block} parse={parser} />
          ),
        )}
    </div>
  );
}
