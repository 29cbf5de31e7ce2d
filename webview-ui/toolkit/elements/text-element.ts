/** What the toolkit's text field and its text area have in common. */
import { type HTMLAttributes, type Ref, useImperativeHandle, useLayoutEffect, useRef } from "react";

export interface TextElement extends HTMLElement {
  value: string;
  /** The native control in the element's shadow root. */
  control: HTMLInputElement | HTMLTextAreaElement;
}

export interface TextAttributes extends HTMLAttributes<TextElement> {
  disabled?: boolean;
  maxlength?: number;
  ref?: Ref<TextElement>;
}

/** What a component can do with a text control. */
export interface TextHandle {
  focus(): void;
  select(): void;
}

export interface TextProps {
  /** The visible label; with `name`, the element has no visible label. */
  label?: string | undefined;
  /** The accessible name of an element without a visible label. */
  name?: string | undefined;
  value: string;
  change(value: string): void;
  placeholder?: string;
  disabled?: boolean;
  maxLength?: number;
  testId?: string;
  /**
   * Read after the name, for example a hint or an error. It is passed as text because elements outside the shadow root cannot
   * be referenced from within.
   */
  description?: string | undefined;
  invalid?: boolean;
  required?: boolean;
  inputMode?: "text" | "decimal" | "email";
  autoFocus?: boolean;
  handle?: Ref<TextHandle>;
  onKeyDown?: HTMLAttributes<TextElement>["onKeyDown"];
}

/**
 * Returns the attributes for the element. Attributes that the element does not pass on are set on the native control in its shadow
 * root.
 */
export function useTextElement(props: TextProps): TextAttributes {
  const element = useRef<TextElement>(null);
  const { value, testId, description, invalid, required, inputMode, name, autoFocus } = props;
  useImperativeHandle(
    props.handle,
    () => ({
      focus: () => element.current?.control.focus(),
      select: () => element.current?.control.select(),
    }),
    [],
  );
  useLayoutEffect(() => {
    if (element.current && element.current.value !== value) element.current.value = value;
  }, [value]);
  useLayoutEffect(() => {
    const control = element.current?.control;
    if (!control) return;
    // The element passes its own name to the control.
    if (name !== undefined) element.current?.setAttribute("aria-label", name);
    control.spellcheck = false;
    control.setAttribute("autocomplete", "off");
    setAttributes(control, {
      "data-testid": testId,
      "aria-description": description === "" ? undefined : description,
      "aria-invalid": invalid ? "true" : undefined,
      "aria-required": required ? "true" : undefined,
      inputmode: inputMode,
    });
  }, [testId, name, description, invalid, required, inputMode]);
  useLayoutEffect(() => {
    if (autoFocus) element.current?.control.focus();
  }, [autoFocus]);
  const { disabled = false, placeholder, maxLength, change, onKeyDown } = props;
  return {
    ref: element,
    disabled,
    ...(placeholder === undefined ? {} : { placeholder }),
    ...(maxLength === undefined ? {} : { maxlength: maxLength }),
    onInput: (event) => change(event.currentTarget.value),
    ...(onKeyDown ? { onKeyDown } : {}),
  };
}

/** Sets the attributes, and removes those that are undefined. */
function setAttributes(control: Element, attributes: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) control.removeAttribute(name);
    else control.setAttribute(name, value);
  }
}
