/**
 * The rows, in blocks of a fixed size. Only blocks near the visible part are on the page; each of the others is an empty box
 * with its last height. A row stays in its block, so it is never moved or recreated while it streams and settles. The reading
 * position is stable because the browser anchors it while boxes above it change. Positions of rows count from the first row
 * that was loaded when the session opened; rows before it have negative positions.
 */
import { memo, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { type ChatView, rowsOf } from "../../src/shared/view/reducer.ts";
import { onDemand } from "../on-demand.tsx";
import { usePanel, usePanelState, useView } from "../panel.ts";
import { RowView, rowKind } from "../rows/row.tsx";
import { FoldLine } from "../turns/fold-line.tsx";
import { type Item, itemSelector } from "../turns/items.ts";
import { reveal, useOpenFolds } from "../turns/open-folds.ts";

const TurnStrip = onDemand(() => import("../turns/turn-strip.tsx"));

const BLOCK_SIZE = 10;
/** Kinds of rows that are one line until the user opens them; `styles/turns.css` has their height. */
const LINES: ReadonlySet<string> = new Set(["tool", "command", "reasoning"]);
/** Estimated height in pixels of a line of work, and of anything else, that was never on the page. */
const GUESSED_LINE_HEIGHT = 22;
const GUESSED_ROW_HEIGHT = 60;
/** Blocks at the end that are always mounted: the end can be jumped to, and a growing row is never unmounted. */
const TAIL = 2;
/** A block is mounted when it is this near to the visible part. */
const MARGIN = "800px 0px";

function blockOf(place: number): number {
  return Math.floor(place / BLOCK_SIZE);
}

/** The block that contains the row at the index. */
export function blockAt(view: ChatView, index: number): number {
  return blockOf(index - view.prepended);
}

/** One observer for all blocks of a box. */
class Nearness {
  #observer: IntersectionObserver | null = null;
  readonly #blocks = new Map<Element, (near: boolean, height: number) => void>();

  /** Reports the block's height in pixels and whether it is near the visible part, whenever the latter changes. */
  observe(block: HTMLElement, report: (near: boolean, height: number) => void): () => void {
    this.#observer ??= new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting, boundingClientRect } of entries) {
          this.#blocks.get(target)?.(isIntersecting, boundingClientRect.height);
        }
      },
      { root: block.closest(".transcript-rows"), rootMargin: MARGIN },
    );
    this.#blocks.set(block, report);
    this.#observer.observe(block);
    return () => {
      this.#observer?.unobserve(block);
      this.#blocks.delete(block);
    };
  }

  dispose(): void {
    this.#observer?.disconnect();
    this.#observer = null;
    this.#blocks.clear();
  }
}

interface RowBlocksProps {
  /** The block with the reading position; null when it is the end. */
  reading: number | null;
  /** Called when rows were mounted; must always be the same function. */
  onChange: () => void;
}

export function RowBlocks({ reading, onChange }: RowBlocksProps) {
  const end = useView((view) => blockAt(view, view.settled.length + view.live.length - 1) + 1);
  const start = useView((view) => blockAt(view, 0));
  const revealed = useRevealedBlock();
  const [nearness] = useState(() => new Nearness());
  const [first] = useState(end);
  useEffect(() => () => nearness.dispose(), [nearness]);
  return Array.from({ length: end - start }, (_, at) => {
    const index = start + at;
    return (
      <Block
        key={index}
        index={index}
        last={index >= end - TAIL}
        begins={index >= first || (reading !== null && Math.abs(index - reading) <= 1)}
        revealed={revealed?.block === index ? revealed : null}
        nearness={nearness}
        onChange={onChange}
      />
    );
  });
}

interface RevealedBlock {
  block: number;
}

/** The block with the row to show on the page; a new object for each request. */
function useRevealedBlock(): RevealedBlock | null {
  const { store } = usePanel();
  const revealed = usePanelState((state) => state.revealed);
  useLayoutEffect(() => {
    if (revealed) reveal(store.state.view, revealed.row);
  }, [store, revealed]);
  return useMemo(() => {
    if (!revealed) return null;
    const { view } = store.state;
    const index = rowsOf(view).findLastIndex(({ id }) => id === revealed.row);
    return index < 0 ? null : { block: blockAt(view, index) };
  }, [store, revealed]);
}

interface BlockProps {
  index: number;
  last: boolean;
  /** Mounted initially, before the observer reports which blocks are near. */
  begins: boolean;
  revealed: RevealedBlock | null;
  nearness: Nearness;
  onChange: () => void;
}

const Block = memo(function Block({ index, last, begins, revealed, nearness, onChange }: BlockProps) {
  const box = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(begins);
  const height = useRef<number | undefined>(undefined);
  const items = useItems(index * BLOCK_SIZE);
  useLayoutEffect(() => {
    if (revealed) setNear(true);
  }, [revealed]);
  useEffect(() => {
    const block = box.current;
    if (!block) return;
    return nearness.observe(block, (isNear, now) => {
      // A block that contains the focus stays mounted.
      if (!isNear && block.contains(document.activeElement)) return;
      height.current = now;
      setNear(isNear);
    });
  }, [nearness]);
  const shown = near || last;
  // biome-ignore lint/correctness/useExhaustiveDependencies: other items are on the page
  useLayoutEffect(() => {
    if (shown) onChange();
  }, [shown, onChange, items.length]);
  const keptHeight = () => (items.length === 0 ? 0 : (height.current ?? guessedHeight(items)));
  return (
    <div ref={box} style={shown ? undefined : { height: keptHeight() }}>
      {shown ? items.map((item) => <ItemView key={item.id} item={item} />) : null}
    </div>
  );
});

/** Height in pixels of items that were never on the page: a guess that keeps the length of the scrollbar about right. */
function guessedHeight(items: readonly Item[]): number {
  const isLine = (item: Item) =>
    item.kind === "fold" || (item.kind === "row" && LINES.has(rowKind(item.row, item.presentation)));
  return items.reduce((sum, item) => sum + (isLine(item) ? GUESSED_LINE_HEIGHT : GUESSED_ROW_HEIGHT), 0);
}

/** The items that are on the page for the rows from that position. */
function useItems(from: number): readonly Item[] {
  const open = useOpenFolds();
  const select = useMemo(
    () =>
      itemSelector(open, ({ prepended }) => [Math.max(0, from + prepended), from + prepended + BLOCK_SIZE]),
    [open, from],
  );
  return useView(select);
}

function ItemView({ item }: { item: Item }) {
  switch (item.kind) {
    case "row": {
      const { ends, ...shown } = item;
      const answeredBy = ends && "by" in item.row ? item.row.by : undefined;
      return (
        <RowView
          row={shown.row}
          presentation={shown.presentation}
          answeredBy={answeredBy}
          isLast={shown.isLast}
          isUndone={shown.isUndone}
          depth={shown.depth}
        />
      );
    }
    case "fold":
      return <FoldLine fold={item.fold} open={item.open} depth={item.depth} />;
    case "strip":
      return <TurnStrip turn={item.turn} isLast={item.isLast} />;
  }
}
