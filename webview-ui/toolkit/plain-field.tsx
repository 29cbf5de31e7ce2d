/**
 * A native text field with the theme's variables, for uses that the toolkit's does not support: a combobox whose list is elsewhere
 * in the page, a search or date field, and a field with `aria-describedby`, because ids do not reach into a shadow root.
 */
import type { InputHTMLAttributes, Ref } from "react";

interface Props extends Omit<InputHTMLAttributes<HTMLInputElement>, "type" | "onChange" | "value"> {
  type?: "text" | "search" | "date";
  value: string;
  change(value: string): void;
  testId?: string;
  ref?: Ref<HTMLInputElement>;
}

export function PlainField({
  type = "text",
  className = "text-field",
  change,
  testId,
  ...attributes
}: Props) {
  return (
    <input
      autoComplete="off"
      spellCheck={false}
      {...attributes}
      type={type}
      className={className}
      data-testid={testId}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}
