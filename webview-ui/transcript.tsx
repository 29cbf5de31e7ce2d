/** The conversation. The end is followed while the person is there, and where else they read stays where it is. */
import { useLayoutEffect, useRef, useState } from "react";
import { type ChatView, rowsOf } from "../src/shared/view.ts";
import { Follow } from "./follow.ts";
import type { Kept } from "./host.ts";
import { loadMarkdown } from "./markdown/markdown.tsx";
import { usePanel, useView } from "./panel.ts";
import { blockOf, RowBlocks } from "./row-blocks.tsx";
import { IconButton } from "./toolkit/button.tsx";
import { Icon } from "./toolkit/icon.tsx";

loadMarkdown();

export default function Transcript() {
  const session = useView((view) => view.session?.id ?? "");
  return <SessionTranscript key={session} session={session} />;
}

function SessionTranscript({ session }: { session: string }) {
  const { t, kept, store } = usePanel();
  /** Index of the row that was read before the page went away; null: the end was followed. */
  const [start] = useState(() => readingIndex(store.state.view, kept.value.reading, session));
  const [following, setFollowing] = useState(start === null);
  const follow = useRef<Follow | null>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box || !rows.current) return;
    const before = start === null ? null : kept.value.reading;
    const keepPlace = () => {
      const place = now.following ? null : placeOf(box);
      const old = kept.value.reading;
      if (old?.session === session && old.row === place?.row && old.offset === place.offset) return;
      if (old || place) kept.update({ reading: place && { session, ...place } });
    };
    const restore = () => {
      if (before) scrollToRow(box, before);
    };
    const now = new Follow(box, before ? "restored" : "end", {
      changed(following) {
        setFollowing(following);
        keepPlace();
      },
      rested() {
        if (!now.restoring) keepPlace();
      },
      restore,
    });
    follow.current = now;
    now.watch(rows.current);
    if (before) restore();
    else now.toEnd();
    return () => now.dispose();
  }, [start, kept, session]);

  return (
    <div className="transcript">
      <div
        ref={scroller}
        className="transcript-rows"
        data-testid="transcript"
        role="log"
        aria-live="off"
        aria-label={t("Conversation")}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
      >
        <div ref={rows}>
          <RowBlocks reading={start === null ? null : blockOf(start)} />
        </div>
      </div>
      {following ? null : (
        <div className="to-latest">
          <IconButton label={t("Jump to the latest")} onPress={() => follow.current?.toEnd()}>
            <Icon name="down" />
          </IconButton>
        </div>
      )}
    </div>
  );
}

interface Place {
  row: string;
  /** Pixels of the row that are above the edge. */
  offset: number;
}

function scrollToRow(box: HTMLElement, { row, offset }: Place): void {
  const element = box.querySelector(`[data-row="${CSS.escape(row)}"]`);
  if (!element) return;
  box.scrollTop += element.getBoundingClientRect().top - box.getBoundingClientRect().top + offset;
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

function readingIndex(view: ChatView, reading: Kept["reading"], session: string): number | null {
  if (!reading || reading.session !== session) return null;
  const index = rowsOf(view).findLastIndex((row) => row.id === reading.row);
  return index < 0 ? null : index;
}
