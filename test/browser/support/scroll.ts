import type { JSHandle, Locator, Page } from "playwright-core";

/** Resolves once the page has drawn what it was sent before; the reading position is restored when it draws. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(null)))),
  );
}

/** Scrolls up as a wheel does, to the end of it: Chromium takes some frames for that. */
export async function wheelUp(box: Locator, pixels: number): Promise<void> {
  const page = box.page();
  await box.hover();
  await box.evaluate((el) => {
    const over = new Promise((resolve) => {
      const turned = () => el.addEventListener("scrollend", resolve, { once: true });
      el.addEventListener("wheel", turned, { once: true, passive: true });
    });
    Reflect.set(window, "wheelOver", over);
  });
  await page.mouse.wheel(0, -pixels);
  await page.evaluate(async () => {
    await Reflect.get(window, "wheelOver");
  });
}

/**
 * Says by how many whole pixels the line has moved down since this call; NaN: it is no longer on the page. Chromium anchors what is in
 * sight by whole pixels, while heights have fractions: every correction can be wrong by half a pixel. What moves by less than one pixel
 * has not moved.
 */
export async function holdLine(line: JSHandle<Element>): Promise<() => Promise<number>> {
  const at = () => line.evaluate((el) => (el.isConnected ? el.getBoundingClientRect().top : Number.NaN));
  const before = await at();
  // Less than a pixel upwards gives -0, which `toBe(0)` refuses; adding 0 makes it 0.
  return async () => Math.trunc((await at()) - before) + 0;
}
