import { eagerScripts } from "../browser/support/script-bytes.ts";

/** Bytes of minified script that load before each part is there. */
export async function scriptSizes(): Promise<Record<string, number>> {
  return {
    "the extension, when a window opens": (await eagerScripts("extension", "extension.js")).bytes,
    "the panel, when it is first opened": (await eagerScripts("webview", "index.js")).bytes,
  };
}

export function sizesText(sizes: Record<string, number>): string {
  const lines = Object.entries(sizes).map(([name, bytes]) => `  ${name}: ${bytes} bytes`);
  return ["script that loads at once", ...lines].join("\n");
}
