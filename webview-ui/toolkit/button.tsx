import type { ReactNode } from "react";
import "./elements.ts";

interface Common {
  onPress(): void;
  disabled?: boolean;
  testId?: string;
  /** For a button that opens something: whether it is open. */
  expanded?: boolean;
}

interface ButtonProps extends Common {
  kind?: "primary" | "secondary";
  /** The accessible name, if the visible text is not sufficient. */
  label?: string;
  /** The tooltip. */
  hint?: string;
  children: ReactNode;
}

interface IconButtonProps extends Common {
  /** The accessible name and, without `hint`, the tooltip. */
  label: string;
  hint?: string | undefined;
  /** The pointer or the focus is on the button. */
  onEnter?(): void;
  /** The pointer or the focus left the button. */
  onLeave?(): void;
  children: ReactNode;
}

/** A disabled element still receives clicks on its host; they must have no effect. */
function press({ disabled, onPress }: Common): () => void {
  return () => {
    if (!disabled) onPress();
  };
}

export function Button(props: ButtonProps) {
  return (
    <vscode-button
      aria-label={props.label}
      appearance={props.kind ?? "secondary"}
      disabled={props.disabled ?? false}
      aria-disabled={props.disabled ?? false}
      data-testid={props.testId}
      title={props.hint}
      onClick={press(props)}
    >
      {props.children}
    </vscode-button>
  );
}

export function IconButton(props: IconButtonProps) {
  return (
    <vscode-button
      aria-label={props.label}
      appearance="icon"
      disabled={props.disabled ?? false}
      aria-disabled={props.disabled ?? false}
      title={props.hint ?? props.label}
      onMouseEnter={props.onEnter}
      onFocus={props.onEnter}
      data-testid={props.testId}
      onClick={press(props)}
      onMouseLeave={props.onLeave}
      onBlur={props.onLeave}
      {...(props.expanded === undefined ? {} : { ariaExpanded: String(props.expanded) })}
    >
      {props.children}
    </vscode-button>
  );
}
