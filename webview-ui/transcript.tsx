/** The conversation. Only the rows in sight are on the page; the end is followed while the person is there. */
import { useCallback, useEffect, useRef, useState } from "react";
import { type ListRange, Virtuoso, type VirtuosoHandle } from "react-virtuoso";
import type { Row } from "../src/shared/view.ts";
import { Follow } from "./follow.ts";
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

  const [start] = useState(() => placeToStart(store.state.view.settled, kept.value.reading, session));
  const [following, setFollowing] = useState(start === null);
  const follow = useRef<Follow | null>(null);
  const virtuoso = useRef<VirtuosoHandle>(null);
  const firstInSight = useRef(0);

  const attach = useCallback(
    (box: HTMLElement | Window | null) => {
      follow.current?.dispose();
      follow.current = box instanceof HTMLElement ? new Follow(box, start === null, setFollowing) : null;
      const list = box instanceof HTMLElement ? box.querySelector("[data-viewport-type] > *") : null;
      if (list) follow.current?.watch(list);
    },
    [start],
  );
  useEffect(() => () => follow.current?.dispose(), []);

  const keepPlace = useCallback(() => {
    const { settled, live } = store.state.view;
    const row = settled[firstInSight.current] ?? live[firstInSight.current - settled.length];
    kept.update({ reading: following || !row ? null : { session, row: row.id } });
  }, [kept, store, session, following]);
  useEffect(keepPlace, [keepPlace]);
  const onRange = ({ startIndex }: ListRange) => {
    firstInSight.current = startIndex;
    keepPlace();
  };

  return (
    <div className="transcript">
      <Virtuoso
        ref={virtuoso}
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
        rangeChanged={onRange}
      />
      {following ? null : (
        <div className="to-latest">
          <IconButton
            label={t("Jump to the latest")}
            onPress={() => {
              virtuoso.current?.scrollToIndex({ index: count - 1, align: "end" });
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

/** Index of the row that the person was reading before the page went away; null: the end. */
function placeToStart(
  rows: readonly Row[],
  reading: { session: string; row: string } | null,
  session: string,
): number | null {
  if (!reading || reading.session !== session) return null;
  const index = rows.findLastIndex((row) => row.id === reading.row);
  return index < 0 ? null : index;
}
