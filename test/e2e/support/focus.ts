/** Whether anything but the user moves the focus. */
import type { Workbench } from "./workbench.ts";

/**
 * From now on every frame and element of the workbench that takes the focus is told by what is returned; an editor may move
 * it within itself, as newer ones do between the keys of a chord, to switch the input method off and on.
 */
export async function watchFocus({ page }: Workbench): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const moved: string[] = [];
    const editor = document.activeElement?.closest(".monaco-editor");
    if (!editor) throw new Error("the focus is in no editor");
    Object.assign(window, { moved });
    addEventListener("blur", () => moved.push(`the window, to ${document.activeElement?.tagName}`));
    addEventListener("focusin", ({ target }) => {
      if (target instanceof Element && editor.contains(target)) return;
      moved.push(target instanceof Element ? `${target.tagName}.${target.className}` : "something");
    });
  });
  return () => page.evaluate(() => Reflect.get(window, "moved") as string[]);
}
