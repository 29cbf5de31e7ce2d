/** Registers the toolkit's text area. A file of its own, so that only the screens that show text areas load it. */
import "../nonce.ts";
import { provideVSCodeDesignSystem, vsCodeTextArea } from "@vscode/webview-ui-toolkit";
import type { TextAttributes } from "./text-element.ts";

provideVSCodeDesignSystem().register(vsCodeTextArea());

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "vscode-text-area": TextAttributes & { rows?: number; resize?: "none" | "both" | "vertical" };
    }
  }
}
