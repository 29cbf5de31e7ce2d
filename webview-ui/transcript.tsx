/** The conversation. Only the rows in sight are on the page; the end is followed while the person is there. */
import { useCallback, useEffect, useRef, useState } from "react";
import { type IndexLocationWithAlign, Virtuoso } from "react-virtuoso";
import { type ChatView, type Row, rowsOf } from "../src/shared/view.ts";
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
  const live = useView((view) => view.live);
  const count = settled.length + live.length;
  const rowAt = (index: number): Row | undefined => settled[index] ?? live[index - settled.length];

  const [start] = useState(() => placeToStart(store.state.view, kept.value.reading, session));
  const [following, setFollowing] = useState(start === null);
  const follow = useRef<Follow | null>(null);
  const detach = useRef<() => void>(() => {});

  const attach = useCallback(
    (box: HTMLElement | Window | null) => {
      detach.current();
      if (!(box instanceof HTMLElement)) return;
      const keepPlace = () => {
        const place = follow.current?.following === false ? placeOf(box) : null;
        kept.update({ reading: place && { session, ...place } });
      };
      const now = new Follow(box, start === null, (following) => {
        setFollowing(following);
        keepPlace();
      });
      follow.current = now;
      const list = box.querySelector("[data-viewport-type] > *");
      if (list) now.watch(list);
      box.addEventListener("scrollend", keepPlace);
      detach.current = () => {
        box.removeEventListener("scrollend", keepPlace);
        now.dispose();
      };
    },
    [start, kept, session],
  );
  useEffect(() => () => detach.current(), []);

  return (
    <div className="transcript">
      <Virtuoso
        className="transcript-rows"
        data-testid="transcript"
        role="log"
        aria-live="off"
        aria-label={t("Conversation")}
        totalCount={count}
        computeItemKey={(index) => rowAt(index)?.id ?? index}
        itemContent={(index) => {
          const row = rowAt(index);
          return row ? <RowView row={row} /> : null;
        }}
        initialTopMostItemIndex={start ?? { index: Math.max(0, count - 1), align: "end" }}
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

/** The first row in sight, and how many pixels of it are above the edge. */
function placeOf(box: HTMLElement): { row: string; offset: number } | null {
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
  return index < 0 ? null : { index, align: "start", offset: reading.offset };
}
