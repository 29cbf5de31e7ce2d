/** Counts which rows React renders, as React's own developer tools do: also of a production build. */
import type { Page } from "playwright-core";

/** Call before the page loads. */
export async function countRenders(page: Page): Promise<void> {
  await page.addInitScript(() => {
    interface Fiber {
      flags: number;
      alternate: Fiber | null;
      child: Fiber | null;
      sibling: Fiber | null;
      memoizedProps: { row?: { id?: unknown } } | null;
      type: unknown;
    }
    /** React sets it on what it rendered, and leaves it on what it did not visit. */
    const PERFORMED_WORK = 1;
    const counts: Record<string, number> = {};
    Reflect.set(window, "renders", counts);
    const visit = (fiber: Fiber, before: Fiber | null) => {
      if (fiber === before) return;
      const id = fiber.memoizedProps?.row?.id;
      const isComponent =
        typeof fiber.type === "function" || (typeof fiber.type === "object" && fiber.type !== null);
      if (isComponent && typeof id === "string" && (fiber.flags & PERFORMED_WORK) !== 0) {
        counts[id] = (counts[id] ?? 0) + 1;
      }
      if (before && fiber.child === before.child) return;
      for (let child = fiber.child; child; child = child.sibling) visit(child, child.alternate);
    };
    Reflect.set(window, "__REACT_DEVTOOLS_GLOBAL_HOOK__", {
      supportsFiber: true,
      renderers: new Map(),
      inject: () => 1,
      onCommitFiberRoot: (_: number, root: { current: Fiber }) => visit(root.current, root.current.alternate),
      onCommitFiberUnmount() {},
      onPostCommitFiberRoot() {},
      checkDCE() {},
    });
  });
}

/** By the row's id, since the last call. */
export function rendersOf(page: Page): Promise<Record<string, number>> {
  return page.evaluate(() => {
    const counts: Record<string, number> = Reflect.get(window, "renders");
    const now = { ...counts };
    for (const id of Object.keys(counts)) delete counts[id];
    return now;
  });
}
