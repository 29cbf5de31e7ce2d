/** Registers the toolkit's text field. A file of its own, so that only the screens that show text fields load it. */
import "../nonce.ts";
import { provideVSCodeDesignSystem, vsCodeTextField } from "@vscode/webview-ui-toolkit";
import type { TextAttributes } from "./text-element.ts";

provideVSCodeDesignSystem().register(vsCodeTextField());

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "vscode-text-field": TextAttributes & { type?: "text" | "password" };
    }
  }
}
