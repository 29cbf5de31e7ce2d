/** What an input method does, as Chromium reports it. */
import { page } from "./suite.ts";

/** Text that an input method is still working on. */
export async function compose(text: string): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await client.send("Input.imeSetComposition", {
    text,
    selectionStart: text.length,
    selectionEnd: text.length,
  });
}

/** An Enter that the input method takes for itself: as Chromium reports it, or with the key's own code. */
export async function composingEnter(keyCode: 229 | 13): Promise<void> {
  const client = await page.context().newCDPSession(page);
  const key = { key: "Enter", code: "Enter", windowsVirtualKeyCode: keyCode };
  await client.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...key });
  await client.send("Input.dispatchKeyEvent", { type: "keyUp", ...key });
}

export async function commit(text: string): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await client.send("Input.insertText", { text });
}
