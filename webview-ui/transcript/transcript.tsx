/** The conversation. It follows the end while the user is there; anywhere else, the reading position is stable. */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { rowsOf } from "../../src/shared/view/reducer.ts";
import { loadMarkdown } from "../markdown/markdown.tsx";
import { onDemand } from "../on-demand.tsx";
import { usePanel, usePanelState, useView } from "../panel.ts";
import type { ScrollPosition } from "../store.ts";
import { IconButton } from "../toolkit/button.tsx";
import { Icon } from "../toolkit/icon.tsx";
import { keepUnfolded, openFolds, reveal } from "../turns/open-folds.ts";
import { Earlier, readingIndex, useReadingShown } from "./earlier.tsx";
import { Follow } from "./follow.ts";
import { ProgressRow } from "./progress-row.tsx";
import { blockAt, RowBlocks } from "./row-blocks.tsx";
import { anchorInView, type ScrollAnchor, ScrollNavigator, scrollToAnchor } from "./scroll-navigator.ts";
import { useConversationKeys } from "./use-keys.ts";

const FindBar = onDemand(() => import("../find/find-bar.tsx"));
const Handoffs = onDemand(() => import("./handoffs.tsx"));
const PictureViewer = onDemand(() => import("../pictures/picture-viewer.tsx"));

loadMarkdown();

export default function TranscriptView() {
  const { kept } = usePanel();
  useState(() => openFolds.restore(kept));
  const remembered = usePanelState((state) => state.remembered);
  const session = useView((view) => view.session?.id ?? "");
  const jumps = usePanelState((state) => state.jumps);
  const key = `${session} ${jumps}`;
  if (remembered) return <Remembered session={session} />;
  return (
    <>
      <Reading key={key} session={session} />
      <Enlarged />
    </>
  );
}

/**
 * The end of the conversation as the page before this one showed it, until the host answers. Nothing in it can be pressed, because it
 * may have changed. The user who was reading elsewhere waits for that place.
 */
function Remembered({ session }: { session: string }) {
  const { t, kept } = usePanel();
  if (kept.value.reading?.session === session) return <div className="transcript" aria-busy="true" />;
  return (
    <div className="transcript" aria-busy="true" inert>
      <div className="transcript-rows from-end" role="log" aria-live="off" aria-label={t("Conversation")}>
        <div>
          <RowBlocks reading={null} onChange={nothingFollows} />
        </div>
      </div>
    </div>
  );
}

/** The box stays at its end by itself. */
const nothingFollows = () => {};

/** Outside the rows, because a row that scrolls away is removed from the page. */
function Enlarged() {
  const place = usePanelState((state) => state.enlarged);
  if (!place) return null;
  return <PictureViewer place={place} />;
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

function SessionTranscript({ session, place }: { session: string; place: ScrollPosition | null }) {
  const { t, kept, store, actions } = usePanel();
  /** Index of the row at the reading position when the page closed; null: the user was at the end. */
  const [start] = useState(() => {
    if (place) reveal(store.state.view, place.row);
    return readingIndex(store.state.view, place, session);
  });
  const [reading] = useState(() => (start === null ? null : blockAt(store.state.view, start)));
  const [following, setFollowing] = useState(start === null);
  const follow = useRef<Follow | null>(null);
  const scrollNavigator = useRef<ScrollNavigator | null>(null);
  useConversationKeys(scrollNavigator);
  const finding = usePanelState((state) => state.finding > 0);
  useEffect(() => () => store.closeFind(), [store]);
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  /** The user is scrolling to the first message. */
  const wantsStart = useRef(false);

  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box || !rows.current) return;
    let aim: ScrollAnchor | null = start === null ? null : place;
    /** The reading position when the user or the content last came to rest; null: the end. */
    let lastInView: ScrollAnchor | null = null;
    const keepPlace = () => {
      lastInView = tracker.following ? null : anchorInView(box);
      const seen = lastInView && { row: lastInView.row, offset: Math.round(lastInView.offset) };
      const old = kept.value.reading;
      if (old?.session === session && old.row === seen?.row && old.offset === seen.offset) return;
      if (old || seen) kept.update({ reading: seen && { session, ...seen } });
    };
    const restore = () => {
      if (aim) scrollToAnchor(box, aim);
    };
    const tracker = new Follow(box, aim ? "restored" : "end", {
      changed(following) {
        setFollowing(following);
        keepUnfolded(store.state.view, !following);
        keepPlace();
      },
      rested() {
        if (!tracker.restoring) keepPlace();
      },
      restore,
      reanchor() {
        if (lastInView) scrollToAnchor(box, lastInView);
      },
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
    follow.current = tracker;
    scrollNavigator.current = new ScrollNavigator({
      box,
      follow: tracker,
      store,
      actions,
      aim: (anchor) => {
        aim = anchor;
      },
    });
    tracker.watch(rows.current);
    if (aim) restore();
    else tracker.toEnd();
    return () => {
      scrollNavigator.current = null;
      tracker.dispose();
    };
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
    if (box.scrollTop === 0 && !wantsStart.current) scrollToAnchor(box, { row: before, offset: 0 });
  }, [store, prepended]);

  return (
    <div className="transcript">
      {finding ? <FindBar scrollNavigator={scrollNavigator} /> : null}
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
          <ProgressRow />
        </div>
      </div>
      {following ? null : (
        <div className="to-latest">
          <IconButton label={t("Jump to latest")} onPress={() => follow.current?.toEnd()}>
            <Icon name="down" />
          </IconButton>
        </div>
      )}
      <AfterTurn />
    </div>
  );
}

/** What the session's agent offers once its turn is over. */
function AfterTurn() {
  const agent = useView(({ agent: name, session, status }) =>
    status === "idle" && session?.isSubtask !== true ? name : undefined,
  );
  return agent === undefined ? null : <Handoffs key={agent} agent={agent} />;
}
