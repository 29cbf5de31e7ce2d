/** The state of a search in the conversation: the host's result, the current match, and the highlights. */
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { finder } from "../../src/shared/text/find-text.ts";
import { rowsOf } from "../../src/shared/view/reducer.ts";
import { usePanel, useView } from "../panel.ts";
import { anchorInView, type ScrollNavigator } from "../transcript/scroll-navigator.ts";
import { type FindResult, type Hit, hitAt, indexOf, nearest } from "./hits.ts";
import { mark, rangesIn, scrollWithin, unmark } from "./marks.ts";

const NOTHING: FindResult = { rows: [], total: 0 };

export interface Find {
  /** undefined: there is no text to search for, or the host has not answered yet. */
  result: FindResult | undefined;
  /** Index of the current match; -1: none. */
  at: number;
  go(step: 1 | -1): void;
}

export function useFind(text: string, scrollNavigator: RefObject<ScrollNavigator | null>): Find {
  const { store, actions } = usePanel();
  const [result, setResult] = useState<FindResult>();
  const [at, setAt] = useState(-1);
  const matches = useMemo(() => finder(text), [text]);
  // Searches again only when settled rows change. A text that streams is searched when it is complete.
  const settled = useView((view) => view.settled);
  const idle = useView((view) => view.status === "idle");
  const current = useRef<Hit | null>(null);
  const latest = useRef({ result: result ?? NOTHING, matches });
  latest.current = { result: result ?? NOTHING, matches };

  const paint = useCallback(() => {
    const box = scrollNavigator.current?.box;
    const { result: newest, matches: find } = latest.current;
    if (!box || !find) return unmark();
    const hit = current.current;
    const wanted = new Set(newest.rows.map(({ row }) => row));
    const all: Range[] = [];
    let currentRange: Range | undefined;
    for (const element of box.querySelectorAll<HTMLElement>("[data-row]")) {
      const row = element.dataset.row ?? "";
      if (!wanted.has(row)) continue;
      const ranges = rangesIn(element, find);
      all.push(...ranges);
      if (hit?.row === row) currentRange = ranges[Math.min(hit.nth, ranges.length - 1)];
    }
    mark(all, currentRange);
  }, [scrollNavigator]);

  const show = useCallback(
    async (hit: Hit) => {
      const scroll = scrollNavigator.current;
      current.current = hit;
      const { matches: find } = latest.current;
      if (!scroll || !find) return;
      const rangeIn = (row: Element) => {
        const ranges = rangesIn(row, find);
        return ranges[Math.min(hit.nth, ranges.length - 1)];
      };
      let element = await scroll.reveal(hit.row);
      // The match may be in a fold of the row, such as an output.
      if (element && rangesIn(element, find).length <= hit.nth) element = await scroll.reveal(hit.row, true);
      if (!element || current.current !== hit) return;
      const range = rangeIn(element);
      if (range) scrollWithin(element, range);
      scroll.goTo({ row: hit.row, offset: 0, part: (row) => rangeIn(row)?.getBoundingClientRect() });
      paint();
    },
    [scrollNavigator, paint],
  );

  const searched = useRef("");
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is searched has changed
  useEffect(() => {
    if (finder(text) === undefined) {
      searched.current = "";
      current.current = null;
      setResult(undefined);
      setAt(-1);
      return;
    }
    let isOver = false;
    void actions.ask("chat/find", { text }).then((answer) => {
      if (isOver || !answer) return;
      const isNew = searched.current !== text;
      searched.current = text;
      latest.current = { ...latest.current, result: answer };
      setResult(answer);
      const unchanged = current.current && !isNew ? indexOf(answer, current.current) : -1;
      const next = isNew
        ? nextOf(answer, current.current, scrollNavigator.current, rowsOf(store.state.view))
        : unchanged;
      setAt(next);
      const hit = hitAt(answer, next);
      if (isNew && hit) void show(hit);
      else if (!hit) current.current = null;
    });
    return () => {
      isOver = true;
    };
  }, [text, settled, idle, actions, store, scrollNavigator, show]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the highlights follow what was found
  useEffect(paint, [paint, result, at]);
  useEffect(() => {
    const box = scrollNavigator.current?.box;
    if (!box) return;
    // Rows are mounted, unmounted and highlighted, and their text streams.
    let frame = 0;
    const observer = new MutationObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(paint);
    });
    observer.observe(box, { childList: true, characterData: true, subtree: true });
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      unmark();
    };
  }, [scrollNavigator, paint]);

  const go = (step: 1 | -1) => {
    const { total } = latest.current.result;
    if (total === 0) return;
    const next = at < 0 ? (step === 1 ? 0 : total - 1) : (at + step + total) % total;
    const hit = hitAt(latest.current.result, next);
    if (!hit) return;
    setAt(next);
    void show(hit);
  };
  return { result, at, go };
}

/** While the user types, the current match stays the same as long as the text matches there. */
function nextOf(
  result: FindResult,
  current: Hit | null,
  scrollNavigator: ScrollNavigator | null,
  rows: readonly { id: string }[],
): number {
  const places = new Map(rows.map(({ id }, index) => [id, index]));
  const from = current?.row ?? (scrollNavigator && anchorInView(scrollNavigator.box)?.row);
  const next = nearest(result, places.get(from ?? "") ?? 0, (row) => places.get(row) ?? -1);
  const same = current ? indexOf(result, current) : -1;
  return same < 0 ? next : same;
}
