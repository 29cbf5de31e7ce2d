import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from "react";

/** Maximum distance in pixels that still counts as the end. */
const NEAR = 8;

/**
 * Keeps a box scrolled to its end while its content changes or wraps differently, until the user scrolls away. The result is
 * the handler of its scrolls.
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
