/** A model's text. While it grows, only the last block is parsed and rendered again. */
import { memo, type ReactNode, useRef, useSyncExternalStore } from "react";
import { BlockSplitter, type MarkdownBlock, type TextBlock } from "./blocks.ts";
import { StreamedCode } from "./code-block.tsx";
import { renderTokens } from "./nodes.tsx";

type Parse = typeof import("./parser.ts").parseMarkdown;

let parse: Parse | null = null;
const waiting = new Set<() => void>();

/** Starts loading the parser; until it has loaded, texts are shown as source. */
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
  const shown = parse ? renderTokens(parse(block.text)) : <div className="md-raw">{block.text}</div>;
  return block.continues ? <div className="md-continued">{shown}</div> : shown;
});

/** Blocks in a group; a full group never changes, and is laid out only while it is near the window. */
const GROUP_SIZE = 24;

interface GroupProps {
  blocks: readonly MarkdownBlock[];
  full: boolean;
  parse: Parse | null;
}

const Group = memo(function Group(props: GroupProps) {
  return (
    <div className={props.full ? "md md-full" : "md"}>
      {props.blocks.map((block) =>
        block.kind === "code" ? (
          <StreamedCode key={block.key} block={block} />
        ) : (
          <TextPart key={block.key} block={block} parse={props.parse} />
        ),
      )}
    </div>
  );
}, sameGroup);

function sameGroup(before: GroupProps, after: GroupProps): boolean {
  return (
    before.full === after.full &&
    before.parse === after.parse &&
    before.blocks.length === after.blocks.length &&
    before.blocks.every((block, index) => block === after.blocks[index])
  );
}

export function Markdown({ text }: { text: string }) {
  const splitter = useRef<BlockSplitter | null>(null);
  splitter.current ??= new BlockSplitter();
  const parser = useParser();
  const blocks = splitter.current.update(text);
  const groups: ReactNode[] = [];
  for (let from = 0; from < blocks.length; from += GROUP_SIZE) {
    // The last group is never full: it contains the block that grows.
    const full = from + GROUP_SIZE < blocks.length;
    groups.push(
      <Group key={from} blocks={blocks.slice(from, from + GROUP_SIZE)} full={full} parse={parser} />,
    );
  }
  return groups;
}
