import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from "react";

/** Maximum distance in pixels that still counts as the end. */
const NEAR = 8;

/**
 * Shows the end of what a box has while that changes or wraps in another way, until the user scrolls away from it. The result is the
 * handler of its scrolls.
 */
export function useEnd(box: RefObject<HTMLElement | null>, content: string): () => void {
  const atEnd = useRef(true);
  const toEnd = useCallback(() => {
    const { current } = box;
    if (current && atEnd.current) current.scrollTop = current.scrollHeight;
  }, [box]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other content is in the box
  useLayoutEffect(toEnd, [toEnd, content]);
  useEffect(() => {
    if (!box.current) return;
    const observer = new ResizeObserver(toEnd);
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [box, toEnd]);
  return useCallback(() => {
    const { current } = box;
    if (current) atEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight < NEAR;
  }, [box]);
}
