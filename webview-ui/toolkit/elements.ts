/**
 * The only importer of the VS Code webview toolkit, which is no longer developed: replacing it changes only this
 * folder. Its elements are used directly as custom elements, which React 19 supports.
 */
import "./nonce.ts";
import { provideVSCodeDesignSystem, vsCodeButton } from "@vscode/webview-ui-toolkit";
import type { HTMLAttributes } from "react";

provideVSCodeDesignSystem().register(vsCodeButton());

interface ButtonElement extends HTMLAttributes<HTMLElement> {
  appearance: "primary" | "secondary" | "icon";
  disabled?: boolean;
  /** As properties: the element passes no other state attribute to the button in its shadow root. */
  ariaExpanded?: string;
  ariaPressed?: string;
}

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "vscode-button": ButtonElement;
    }
  }
}
