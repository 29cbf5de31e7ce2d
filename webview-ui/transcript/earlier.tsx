/** The top of a conversation of which not all is on show: more comes as the person nears it, or presses it. */
import { useCallback, useEffect, useRef, useState } from "react";
import { type ChatView, rowsOf } from "../../src/shared/view/reducer.ts";
import { usePanel, useView } from "../panel.ts";
import type { Place } from "../store.ts";
import { Button } from "../toolkit/button.tsx";

/** How near to it more is asked for: some screens above what is in sight. */
const margin = "2500px 0px 0px 0px";

export function Earlier() {
  const { t, actions } = usePanel();
  const left = useView((view) => view.earlier);
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
    if (!element || left === 0 || busy) return;
    // Each page is looked at anew: it may have been a short one.
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) void ask();
      },
      { root: element.closest(".transcript-rows"), rootMargin: margin },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [left, busy, ask]);
  if (left === 0) return null;
  return (
    <div ref={place} className="earlier" data-testid="earlier" aria-busy={busy}>
      <Button disabled={busy} onPress={() => void ask()}>
        {busy ? t("Loading earlier messages…") : t("Show earlier messages")}
      </Button>
    </div>
  );
}

/** Index of the row that was read before; null: the end was followed, or it is not on show. */
export function readingIndex(view: ChatView, reading: Place | null, session: string): number | null {
  if (reading?.session !== session) return null;
  const index = rowsOf(view).findLastIndex((row) => row.id === reading.row);
  return index < 0 ? null : index;
}

/** True once what the person reads is on show; it may have to be asked for. */
export function useReadingShown(reading: Place | null, session: string): boolean {
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
