/**
 * The rows, in blocks of a fixed size. Only blocks near the window are on the page; each of the others is an empty box of
 * the height that it had. A row keeps its block for good: it streams, settles and grows old without being moved or made
 * anew, and where somebody reads stays in place, for the browser anchors it while boxes above it change.
 *
 * A row's place is counted from the first row that was on show when the session was opened; what came before has negative
 * places.
 */
import { memo, useEffect, useRef, useState } from "react";
import { faceOf } from "../../src/shared/tool-face.ts";
import type { ChatView, Row } from "../../src/shared/view/reducer.ts";
import { useView } from "../panel.ts";
import { RowView } from "../rows/row.tsx";

const blockSize = 10;
/** Pixels of a block that was never on the page. */
const guessedHeight = blockSize * 60;
/** Blocks at the end that are always there: the end can be jumped to, and a row that grows is never taken away. */
const tail = 2;
/** How near to the window a block is made. */
const margin = "800px 0px";

function blockOf(place: number): number {
  return Math.floor(place / blockSize);
}

/** The block of the row of that index. */
export function blockAt(view: ChatView, index: number): number {
  return blockOf(index - view.prepended);
}

/** One observer for all blocks of a box. */
export class Nearness {
  #observer: IntersectionObserver | null = null;
  readonly #blocks = new Map<Element, (near: boolean, height: number) => void>();

  /** Tells whether the block is near the window of `box`, and its height in pixels, whenever the former changes. */
  observe(block: HTMLElement, tell: (near: boolean, height: number) => void): () => void {
    this.#observer ??= new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting, boundingClientRect } of entries) {
          this.#blocks.get(target)?.(isIntersecting, boundingClientRect.height);
        }
      },
      { root: block.closest(".transcript-rows"), rootMargin: margin },
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

/** `reading`: the block that the person left off at; null when it is the end. */
export function RowBlocks({ reading }: { reading: number | null }) {
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
        last={index >= end - tail}
        begins={index >= first || (reading !== null && Math.abs(index - reading) <= 1)}
        nearness={nearness}
      />
    );
  });
}

interface BlockProps {
  index: number;
  last: boolean;
  /** It is on the page from the first, before it is known what is near. */
  begins: boolean;
  nearness: Nearness;
}

const Block = memo(function Block({ index, last, begins, nearness }: BlockProps) {
  const box = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(begins);
  const height = useRef(guessedHeight);
  useEffect(() => {
    const block = box.current;
    if (!block) return;
    return nearness.observe(block, (isNear, now) => {
      // What has the focus stays.
      if (!isNear && block.contains(document.activeElement)) return;
      height.current = now;
      setNear(isNear);
    });
  }, [nearness]);
  const shown = near || last;
  return (
    <div ref={box} style={shown ? undefined : { height: height.current }}>
      {shown ? <BlockRows from={index * blockSize} /> : null}
    </div>
  );
});

const none: readonly Row[] = [];

function BlockRows({ from }: { from: number }) {
  const settled = useView((view) => view.settled);
  const prepended = useView((view) => view.prepended);
  const faces = useView((view) => view.faces);
  const live = useView((view) => (reaches(view, from) ? view.live : none));
  const rows: Row[] = [];
  const first = from + prepended;
  for (let index = Math.max(0, first); index < first + blockSize; index++) {
    const row = settled[index] ?? live[index - settled.length];
    if (row) rows.push(row);
  }
  return rows.map((row) => (
    <RowView key={row.id} row={row} face={row.kind === "call" ? faceOf(faces, row.tool) : undefined} />
  ));
}

/** Some of the block's rows are live. */
function reaches(view: ChatView, from: number): boolean {
  return from + view.prepended + blockSize > view.settled.length;
}
