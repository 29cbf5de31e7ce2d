/** The conversation. Only the rows in sight are on the page; the end is followed while the person is there. */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { type IndexLocationWithAlign, Virtuoso, type VirtuosoHandle } from "react-virtuoso";
import { type ChatView, rowsOf } from "../src/shared/view.ts";
import { Follow } from "./follow.ts";
import type { Kept } from "./host.ts";
import { usePanel, useView } from "./panel.ts";
import { RowView } from "./rows/row.tsx";
import { IconButton } from "./toolkit/button.tsx";
import { Icon } from "./toolkit/icon.tsx";

export default function Transcript() {
  const session = useView((view) => view.session?.id ?? "");
  return <SessionTranscript key={session} session={session} />;
}

function SessionTranscript({ session }: { session: string }) {
  const { t, kept, store } = usePanel();
  const settled = useView((view) => view.settled);

  const [start] = useState(() => placeToStart(store.state.view, kept.value.reading, session));
  const [following, setFollowing] = useState(start === null);
  const follow = useRef<Follow | null>(null);
  const detach = useRef<() => void>(() => {});
  const list = useRef<VirtuosoHandle>(null);
  const scroller = useRef<HTMLElement | null>(null);
  /** What the person reads while they are not at the end. */
  const place = useRef<Place | null>(kept.value.reading?.session === session ? kept.value.reading : null);

  // Rows of a step that is over move into the list, which does not know their height yet: the place is found again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the rows' move that asks for it
  useLayoutEffect(() => {
    if (follow.current?.following !== false || !place.current || !scroller.current) return;
    const { row, offset } = place.current;
    if (scrollToRow(scroller.current, row, offset)) return;
    const index = settled.findLastIndex((other) => other.id === row);
    if (index >= 0) list.current?.scrollToIndex({ index, align: "start", offset });
  }, [settled.length]);

  const attach = useCallback(
    (box: HTMLElement | Window | null) => {
      detach.current();
      if (!(box instanceof HTMLElement)) return;
      scroller.current = box;
      const keepPlace = () => {
        place.current = follow.current?.following === false ? placeOf(box) : null;
        kept.update({ reading: place.current && { session, ...place.current } });
      };
      const now = new Follow(box, start === null, {
        changed(following) {
          setFollowing(following);
          keepPlace();
        },
        moved: keepPlace,
        resizedAway() {
          if (place.current) scrollToRow(box, place.current.row, place.current.offset);
        },
      });
      follow.current = now;
      for (const part of box.querySelectorAll("[data-viewport-type] > *")) now.watch(part);
      if (start !== null && place.current) scrollToRow(box, place.current.row, place.current.offset);
      detach.current = () => now.dispose();
    },
    [start, kept, session],
  );
  useEffect(() => () => detach.current(), []);

  return (
    <div className="transcript">
      <Virtuoso
        ref={list}
        className="transcript-rows"
        data-testid="transcript"
        role="log"
        aria-live="off"
        aria-label={t("Conversation")}
        totalCount={settled.length}
        computeItemKey={(index) => settled[index]?.id ?? index}
        itemContent={(index) => {
          const row = settled[index];
          return row ? <RowView row={row} /> : null;
        }}
        components={components}
        initialTopMostItemIndex={start ?? { index: Math.max(0, settled.length - 1), align: "end" }}
        defaultItemHeight={60}
        increaseViewportBy={400}
        scrollerRef={attach}
      />
      {following ? null : (
        <div className="to-latest">
          <IconButton
            label={t("Jump to the latest")}
            onPress={() => {
              follow.current?.toEnd();
            }}
          >
            <Icon name="down" />
          </IconButton>
        </div>
      )}
    </div>
  );
}

/**
 * The rows of the step in progress are few and grow with every frame. The list would measure them anew each time, and
 * take them off the page and put them back while it does; so they stand below it.
 */
function LiveRows() {
  const live = useView((view) => view.live);
  return (
    <div>
      {live.map((row) => (
        <RowView key={row.id} row={row} />
      ))}
    </div>
  );
}

const components = { Footer: LiveRows };

interface Place {
  row: string;
  /** Pixels of the row that are above the edge. */
  offset: number;
}

/** False: the row is not on the page. */
function scrollToRow(box: HTMLElement, row: string, offset: number): boolean {
  const element = box.querySelector(`[data-row="${CSS.escape(row)}"]`);
  if (!element) return false;
  box.scrollTop += element.getBoundingClientRect().top - box.getBoundingClientRect().top + offset;
  return true;
}

/** The first row in sight. */
function placeOf(box: HTMLElement): Place | null {
  const edge = box.getBoundingClientRect().top;
  for (const row of box.querySelectorAll<HTMLElement>("[data-row]")) {
    const { top, bottom } = row.getBoundingClientRect();
    if (bottom > edge) return { row: row.dataset.row ?? "", offset: Math.round(edge - top) };
  }
  return null;
}

/** Where to begin: the place that the person was reading before the page went away; null: the end. */
function placeToStart(
  view: ChatView,
  reading: Kept["reading"],
  session: string,
): IndexLocationWithAlign | null {
  if (!reading || reading.session !== session) return null;
  const index = rowsOf(view).findLastIndex((row) => row.id === reading.row);
  if (index < 0) return null;
  // A row of the step in progress stands below the list.
  if (index >= view.settled.length) return { index: Math.max(0, view.settled.length - 1), align: "end" };
  return { index, align: "start", offset: reading.offset };
}
