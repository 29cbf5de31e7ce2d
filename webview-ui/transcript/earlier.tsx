/** The top of a partly loaded conversation: more rows load when the user scrolls near it or presses the button. */
import { useCallback, useEffect, useRef, useState } from "react";
import { type ChatView, rowsOf } from "../../src/shared/view/reducer.ts";
import { usePanel, useView } from "../panel.ts";
import type { ScrollPosition } from "../store.ts";
import { Button } from "../toolkit/button.tsx";

/** More rows are requested when the top is this near: some screens above the visible part. */
const MARGIN = "2500px 0px 0px 0px";

export function Earlier() {
  const { t, actions } = usePanel();
  const count = useView((view) => view.earlier);
  const place = useRef<HTMLDivElement>(null);
  const [busy, setBusy] = useState(false);
  const asking = useRef(false);
  const ask = useCallback(async () => {
    if (asking.current) return;
    asking.current = true;
    setBusy(true);
    await actions.ask("chat/earlier", {});
    asking.current = false;
    setBusy(false);
  }, [actions]);
  useEffect(() => {
    const element = place.current;
    if (!element || count === 0 || busy) return;
    // Each page is observed again, because it may have been short.
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) void ask();
      },
      { root: element.closest(".transcript-rows"), rootMargin: MARGIN },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [count, busy, ask]);
  if (count === 0) return null;
  return (
    <div ref={place} className="earlier" data-testid="earlier" aria-busy={busy}>
      <Button disabled={busy} onPress={() => void ask()}>
        {busy ? t("Loading earlier messages…") : t("Show earlier messages")}
      </Button>
    </div>
  );
}

/** Index of the row at the reading position; null: the user was at the end, or the row is not loaded. */
export function readingIndex(view: ChatView, reading: ScrollPosition | null, session: string): number | null {
  if (reading?.session !== session) return null;
  const index = rowsOf(view).findLastIndex((row) => row.id === reading.row);
  return index < 0 ? null : index;
}

/** True once the row at the reading position is loaded; requests it if necessary. */
export function useReadingShown(reading: ScrollPosition | null, session: string): boolean {
  const { store, actions } = usePanel();
  const [missing, setMissing] = useState(() => {
    const { view } = store.state;
    const isMissing = view.earlier > 0 && readingIndex(view, reading, session) === null;
    return isMissing && reading?.session === session ? reading.row : null;
  });
  useEffect(() => {
    if (missing === null) return;
    let gone = false;
    void actions.ask("chat/earlier", { until: missing }).then(() => {
      if (!gone) setMissing(null);
    });
    return () => {
      gone = true;
    };
  }, [missing, actions]);
  return missing === null;
}
