import type { Locator } from "playwright-core";

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
