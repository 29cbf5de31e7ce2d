/**
 * A native select with the theme's variables. The toolkit's dropdown draws its list inside the page, where a narrow panel and a
 * scrolling screen cut it off, and its text has too little contrast in light themes that set no dropdown color.
 */
import type { ReactNode } from "react";

interface Props<Value extends string> {
  id?: string;
  /** The accessible name; absent: a label refers to `id`. */
  name?: string;
  value: Value;
  options: readonly { value: Value; text: ReactNode }[];
  disabled?: boolean;
  testId?: string;
  title?: string;
  /** A quiet dropdown, without a frame. */
  quiet?: boolean;
  /** Ids of elements. */
  describedBy?: string;
  invalid?: boolean;
  required?: boolean;
  change(value: Value): void;
}

export function Dropdown<Value extends string>(props: Props<Value>) {
  const { id, name, value, options, disabled = false, testId, title, quiet = false, change } = props;
  return (
    <select
      id={id}
      className={quiet ? "effort" : "text-field"}
      aria-label={name}
      aria-describedby={props.describedBy}
      aria-invalid={props.invalid}
      aria-required={props.required}
      data-testid={testId}
      title={title}
      disabled={disabled}
      value={value}
      onChange={(event) => {
        const chosen = options.find((option) => option.value === event.currentTarget.value);
        if (chosen) change(chosen.value);
      }}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.text}
        </option>
      ))}
    </select>
  );
}
