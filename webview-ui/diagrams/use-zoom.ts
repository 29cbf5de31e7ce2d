/** Zooms the content of a scrolling box: by buttons, by the keys +, - and 0, and by the wheel with Ctrl. */
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";

/** Factors of the size that fits the box. */
const SMALLEST = 0.25;
const LARGEST = 8;
const STEP = 1.25;
/** Pixels by which the wheel must turn to double the size. */
const WHEEL_DOUBLE = 240;

export interface Zoom {
  view: RefObject<HTMLDivElement | null>;
  zoom: number;
  zoomIn(): void;
  zoomOut(): void;
  fit(): void;
  onKeyDown(event: KeyboardEvent): void;
}

const bounded = (zoom: number): number => Math.min(LARGEST, Math.max(SMALLEST, zoom));

export function useZoom(): Zoom {
  const view = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState(1);
  /** The point of the content, as shares of its size, that stays at `x` and `y` of the box. */
  const fixed = useRef<{ shareX: number; shareY: number; x: number; y: number } | null>(null);

  /** `x`, `y`: pixels from the corner of the box; the middle, if omitted. */
  const change = (next: (zoom: number) => number, x?: number, y?: number) => {
    const box = view.current;
    if (box) {
      const at = { x: x ?? box.clientWidth / 2, y: y ?? box.clientHeight / 2 };
      fixed.current = {
        ...at,
        shareX: (box.scrollLeft + at.x) / box.scrollWidth,
        shareY: (box.scrollTop + at.y) / box.scrollHeight,
      };
    }
    setZoom((current) => bounded(next(current)));
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: the content has its new size
  useLayoutEffect(() => {
    const box = view.current;
    const point = fixed.current;
    fixed.current = null;
    if (!box || !point) return;
    box.scrollLeft = point.shareX * box.scrollWidth - point.x;
    box.scrollTop = point.shareY * box.scrollHeight - point.y;
  }, [zoom]);

  const wheel = useRef<(event: WheelEvent) => void>(() => {});
  wheel.current = (event) => {
    const box = view.current;
    if (!event.ctrlKey || !box) return;
    event.preventDefault();
    // Keeps the conversation from scrolling.
    event.stopPropagation();
    const { left, top } = box.getBoundingClientRect();
    const factor = 2 ** (-event.deltaY / WHEEL_DOUBLE);
    change((current) => current * factor, event.clientX - left, event.clientY - top);
  };
  useEffect(() => {
    const box = view.current;
    const onWheel = (event: WheelEvent) => wheel.current(event);
    // React's listeners are passive, so with them the page would zoom as well.
    box?.addEventListener("wheel", onWheel, { passive: false });
    return () => box?.removeEventListener("wheel", onWheel);
  }, []);

  const zoomIn = () => change((current) => current * STEP);
  const zoomOut = () => change((current) => current / STEP);
  const fit = () => change(() => 1);
  const byKey: Readonly<Record<string, () => void>> = { "+": zoomIn, "=": zoomIn, "-": zoomOut, "0": fit };
  const onKeyDown = (event: KeyboardEvent) => {
    const action = event.ctrlKey || event.metaKey || event.altKey ? undefined : byKey[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };
  return { view, zoom, zoomIn, zoomOut, fit, onKeyDown };
}
