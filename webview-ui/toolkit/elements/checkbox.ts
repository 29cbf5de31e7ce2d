/** Registers the toolkit's checkbox. A file of its own, so that only the screens that show checkboxes load it. */
import "../nonce.ts";
import { provideVSCodeDesignSystem, vsCodeCheckbox } from "@vscode/webview-ui-toolkit";
import type { HTMLAttributes, Ref } from "react";

provideVSCodeDesignSystem().register(vsCodeCheckbox());

export interface CheckboxElement extends HTMLElement {
  checked: boolean;
}

interface CheckboxAttributes extends HTMLAttributes<CheckboxElement> {
  disabled?: boolean;
  ref?: Ref<CheckboxElement>;
}

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "vscode-checkbox": CheckboxAttributes;
    }
  }
}
