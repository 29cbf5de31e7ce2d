/** A model's text. While it grows, only the last block is parsed and rendered again. */
import { memo, type ReactNode, useRef, useState, useSyncExternalStore } from "react";
import { usePanel } from "../panel.ts";
import { BlockSplitter, type TextBlock } from "./blocks.ts";
import { StreamedCode } from "./code-block.tsx";
import { Footnotes, FootnotesContext } from "./footnotes.tsx";
import { type DetailsItem, type MarkdownItem, nested, sameItem } from "./nesting.ts";
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

/** Blocks and folds in a group; a full group never changes, and is laid out only while it is near the window. */
const GROUP_SIZE = 24;

interface GroupProps {
  items: readonly MarkdownItem[];
  full: boolean;
  parse: Parse | null;
}

const Group = memo(function Group(props: GroupProps) {
  return (
    <div className={props.full ? "md md-full" : "md"}>
      {props.items.map((item) => (
        <Item key={item.key} item={item} parse={props.parse} />
      ))}
    </div>
  );
}, sameGroup);

function Item({ item, parse }: { item: MarkdownItem; parse: Parse | null }) {
  if (item.kind === "code") return <StreamedCode block={item} />;
  if (item.kind === "text") return <TextPart block={item} parse={parse} />;
  return <Details details={item} parse={parse} />;
}

function Details({ details, parse }: { details: DetailsItem; parse: Parse | null }) {
  const { t } = usePanel();
  const { summary, open, items } = details;
  const words = summary === "" ? t("Details") : summary;
  return (
    <details className="md-details" open={open}>
      <summary>{parse ? renderTokens(parse(words)) : words}</summary>
      <div className="md">
        {items.map((item) => (
          <Item key={item.key} item={item} parse={parse} />
        ))}
      </div>
    </details>
  );
}

function sameGroup(before: GroupProps, after: GroupProps): boolean {
  return (
    before.full === after.full &&
    before.parse === after.parse &&
    before.items.length === after.items.length &&
    before.items.every((item, index) => sameItem(item, after.items[index]))
  );
}

export function Markdown({ text }: { text: string }) {
  const splitter = useRef<BlockSplitter | null>(null);
  splitter.current ??= new BlockSplitter();
  const [footnotes] = useState(() => new Footnotes());
  const parser = useParser();
  const items = nested(splitter.current.update(text));
  const groups: ReactNode[] = [];
  for (let from = 0; from < items.length; from += GROUP_SIZE) {
    // The last group is never full, because it contains the growing block.
    const full = from + GROUP_SIZE < items.length;
    groups.push(<Group key={from} items={items.slice(from, from + GROUP_SIZE)} full={full} parse={parser} />);
  }
  return <FootnotesContext.Provider value={footnotes}>{groups}</FootnotesContext.Provider>;
}
