import "./elements/checkbox.ts";
import { type ReactNode, useLayoutEffect, useReducer, useRef } from "react";
import type { CheckboxElement } from "./elements/checkbox.ts";

interface Props {
  /** The visible label. */
  children?: ReactNode;
  /** The accessible name, if the visible label is not sufficient. */
  name: string;
  on: boolean;
  disabled?: boolean;
  title?: string;
  testId?: string;
  change(on: boolean): void;
}

/** Shows `on`, whatever the user pressed, until the owner changes it. */
export function Checkbox({ children, name, on, disabled = false, title, testId, change }: Props) {
  const element = useRef<CheckboxElement>(null);
  /** Set while this component changes the element, because the element then reports a change too. */
  const isSetting = useRef(false);
  const [, render] = useReducer((count: number) => count + 1, 0);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    // The element derives a name from its text when it is inserted.
    current.setAttribute("aria-label", name);
    // The check mark is an image without a name.
    current.shadowRoot?.querySelector("svg")?.setAttribute("aria-hidden", "true");
    // The element itself would update the attribute a frame later.
    current.setAttribute("aria-checked", String(on));
    if (current.checked === on) return;
    isSetting.current = true;
    current.checked = on;
    isSetting.current = false;
  });
  return (
    <vscode-checkbox
      ref={element}
      disabled={disabled}
      title={title}
      data-testid={testId}
      onChange={() => {
        if (isSetting.current || !element.current) return;
        change(element.current.checked);
        render();
      }}
    >
      {children}
    </vscode-checkbox>
  );
}
