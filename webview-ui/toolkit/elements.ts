/**
 * The only importer of the VS Code webview toolkit, which is no longer developed: a successor is a change to this
 * folder. Its elements are used as the custom elements they are, which React 19 supports by itself.
 */
import "./nonce.ts";
import { provideVSCodeDesignSystem, vsCodeButton } from "@vscode/webview-ui-toolkit";
import type { HTMLAttributes } from "react";

provideVSCodeDesignSystem().register(vsCodeButton());

interface ButtonElement extends HTMLAttributes<HTMLElement> {
  appearance: "primary" | "secondary" | "icon";
  disabled?: boolean;
  /** As properties: the element hands no other state attribute on to the button in its shadow. */
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
