/** The conversation. Follows the end while the user is there; elsewhere the reading position is stable. */
import { lazy, Suspense, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { rowsOf } from "../../src/shared/view/reducer.ts";
import { loadMarkdown } from "../markdown/markdown.tsx";
import { usePanel, usePanelState, useView } from "../panel.ts";
import type { Place } from "../store.ts";
import { IconButton } from "../toolkit/button.tsx";
import { Icon } from "../toolkit/icon.tsx";
import { Earlier, readingIndex, useReadingShown } from "./earlier.tsx";
import { Follow } from "./follow.ts";
import { blockAt, RowBlocks } from "./row-blocks.tsx";

const PictureViewer = lazy(() => import("../pictures/picture-viewer.tsx"));

loadMarkdown();

export default function Transcript() {
  const session = useView((view) => view.session?.id ?? "");
  const jumps = usePanelState((state) => state.jumps);
  const key = `${session} ${jumps}`;
  return (
    <>
      <Reading key={key} session={session} />
      <Enlarged />
    </>
  );
}

/** Outside the rows, because a row that scrolls away is removed from the page. */
function Enlarged() {
  const place = usePanelState((state) => state.enlarged);
  if (!place) return null;
  return (
    <Suspense fallback={null}>
      <PictureViewer place={place} />
    </Suspense>
  );
}

function Reading({ session }: { session: string }) {
  const { store, kept } = usePanel();
  const [place] = useState(() => store.targetIn(session) ?? kept.value.reading);
  useEffect(() => {
    if (place && place === store.targetIn(session)) kept.update({ reading: place });
    store.arrived(place);
  }, [store, kept, session, place]);
  if (!useReadingShown(place, session)) return <div className="transcript" aria-busy="true" />;
  return <SessionTranscript session={session} place={place} />;
}

function SessionTranscript({ session, place }: { session: string; place: Place | null }) {
  const { t, kept, store, actions } = usePanel();
  /** Index of the row at the reading position when the page closed; null: the user followed the end. */
  const [start] = useState(() => readingIndex(store.state.view, place, session));
  const [reading] = useState(() => (start === null ? null : blockAt(store.state.view, start)));
  const [following, setFollowing] = useState(start === null);
  const follow = useRef<Follow | null>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  /** The user is on the way to the first message. */
  const wantsStart = useRef(false);

  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box || !rows.current) return;
    const before = start === null ? null : place;
    const keepPlace = () => {
      const seen = now.following ? null : seenFirst(box);
      const old = kept.value.reading;
      if (old?.session === session && old.row === seen?.row && old.offset === seen.offset) return;
      if (old || seen) kept.update({ reading: seen && { session, ...seen } });
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
      toStart() {
        box.scrollTop = 0;
        if (store.state.view.earlier === 0) return false;
        wantsStart.current = true;
        void actions.ask("chat/earlier", { all: true }).then(() => {
          wantsStart.current = false;
        });
        return true;
      },
    });
    follow.current = now;
    now.watch(rows.current);
    if (before) restore();
    else now.toEnd();
    return () => now.dispose();
  }, [start, place, kept, session, store, actions]);

  const rowsChanged = useCallback(() => follow.current?.rowsChanged(), []);
  const prepended = useView((view) => view.prepended);
  /**
   * The first loaded row. At the very top, the browser does not anchor the reading position when rows are added above
   * it.
   */
  const first = useRef<string | undefined>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows were added above the others
  useLayoutEffect(() => {
    const before = first.current;
    first.current = rowsOf(store.state.view)[0]?.id;
    const box = scroller.current;
    if (!box || before === undefined || before === first.current) return;
    if (box.scrollTop === 0 && !wantsStart.current) scrollToRow(box, { row: before, offset: 0 });
  }, [store, prepended]);

  return (
    <div className="transcript">
      <div
        ref={scroller}
        className="transcript-rows"
        data-testid="transcript"
        role="log"
        aria-live="off"
        aria-label={t("Conversation")}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        tabIndex={0}
      >
        <div ref={rows}>
          <Earlier />
          <RowBlocks reading={reading} onChange={rowsChanged} />
        </div>
      </div>
      {following ? null : (
        <div className="to-latest">
          <IconButton label={t("Jump to latest")} onPress={() => follow.current?.toEnd()}>
            <Icon name="down" />
          </IconButton>
        </div>
      )}
    </div>
  );
}

interface Seen {
  row: string;
  /** Pixels of the row that are above the edge. */
  offset: number;
}

function scrollToRow(box: HTMLElement, { row, offset }: Seen): void {
  const element = box.querySelector(`[data-row="${CSS.escape(row)}"]`);
  if (!element) return;
  box.scrollTop += element.getBoundingClientRect().top - box.getBoundingClientRect().top + offset;
}

/** The first visible row. */
function seenFirst(box: HTMLElement): Seen | null {
  const edge = box.getBoundingClientRect().top;
  for (const row of box.querySelectorAll<HTMLElement>("[data-row]")) {
    const { top, bottom } = row.getBoundingClientRect();
    if (bottom > edge) return { row: row.dataset.row ?? "", offset: Math.round(edge - top) };
  }
  return null;
}
