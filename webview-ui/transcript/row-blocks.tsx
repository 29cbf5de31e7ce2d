/**
 * The rows, in blocks of a fixed size. Only blocks near the window are on the page; each of the others is an empty box
 * with the height that it had. A row stays in its block: it streams, settles and ages without being moved or recreated,
 * and the reading position is stable because the browser anchors it while boxes above it change. Positions of rows
 * count from the first row that was loaded when the session opened; rows before it have negative positions.
 */
import { memo, useEffect, useLayoutEffect, useRef, useState } from "react";
import { faceOf } from "../../src/shared/tool-face.ts";
import type { ChatView, Row } from "../../src/shared/view/reducer.ts";
import { useView } from "../panel.ts";
import { RowView } from "../rows/row.tsx";

const BLOCK_SIZE = 10;
/** Estimated height in pixels of a block that was never on the page. */
const GUESSED_HEIGHT = BLOCK_SIZE * 60;
/** Blocks at the end that are always mounted: the end can be jumped to, and a growing row is never unmounted. */
const TAIL = 2;
/** How near to the window a block is mounted. */
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

  /** Reports whether the block is near the window of `box`, and its height in pixels, whenever the former changes. */
  observe(block: HTMLElement, tell: (near: boolean, height: number) => void): () => void {
    this.#observer ??= new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting, boundingClientRect } of entries) {
          this.#blocks.get(target)?.(isIntersecting, boundingClientRect.height);
        }
      },
      { root: block.closest(".transcript-rows"), rootMargin: MARGIN },
    );
    this.#blocks.set(block, tell);
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
        nearness={nearness}
        onChange={onChange}
      />
    );
  });
}

interface BlockProps {
  index: number;
  last: boolean;
  /** Mounted initially, before the observer reports which blocks are near. */
  begins: boolean;
  nearness: Nearness;
  onChange: () => void;
}

const Block = memo(function Block({ index, last, begins, nearness, onChange }: BlockProps) {
  const box = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(begins);
  const height = useRef(GUESSED_HEIGHT);
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
  useLayoutEffect(() => {
    if (shown) onChange();
  }, [shown, onChange]);
  return (
    <div ref={box} style={shown ? undefined : { height: height.current }}>
      {shown ? <BlockRows from={index * BLOCK_SIZE} /> : null}
    </div>
  );
});

const none: readonly Row[] = [];

function BlockRows({ from }: { from: number }) {
  const settled = useView((view) => view.settled);
  const prepended = useView((view) => view.prepended);
  const faces = useView((view) => view.faces);
  const live = useView((view) => (reaches(view, from) ? view.live : none));
  const idle = useView((view) => view.status === "idle");
  const rows: { row: Row; ends: boolean; isLast: boolean }[] = [];
  const first = from + prepended;
  const at = (index: number) => settled[index] ?? live[index - settled.length];
  for (let index = Math.max(0, first); index < first + BLOCK_SIZE; index++) {
    const row = at(index);
    const next = at(index + 1);
    if (!row) continue;
    const isLast = next === undefined && idle;
    rows.push({ row, ends: isLast || next?.kind === "user", isLast });
  }
  return rows.map(({ row, ends, isLast }) => (
    <RowView
      key={row.id}
      row={row}
      face={row.kind === "call" ? faceOf(faces, row.tool) : undefined}
      answeredBy={ends && "by" in row ? row.by : undefined}
      isLast={isLast}
    />
  ));
}

/** Whether some of the block's rows, or the row after them, are live. */
function reaches(view: ChatView, from: number): boolean {
  return from + view.prepended + BLOCK_SIZE >= view.settled.length;
}
