/** A button of the foot that opens something over the composer. */
import { type FocusEvent, type KeyboardEvent, type RefObject, useCallback, useRef, useState } from "react";
import { untilLoaded } from "./until-loaded.ts";

export interface Opener {
  open: boolean;
  button: RefObject<HTMLButtonElement | null>;
  show(): void;
  /** `toButton`: the focus returns to the button. */
  close(toButton: boolean): void;
  /** For the button. */
  props: {
    ref: RefObject<HTMLButtonElement | null>;
    "aria-expanded": boolean;
    onClick(): void;
    onKeyDown(event: KeyboardEvent): void;
    onBlur(event: FocusEvent): void;
  };
}

export function useOpener(): Opener {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const show = useCallback(() => setOpen(true), []);
  const close = useCallback((toButton: boolean) => {
    setOpen(false);
    if (toButton) button.current?.focus();
  }, []);
  const early = untilLoaded(open, close);
  const onKeyDown = (event: KeyboardEvent) => {
    if (open) return early.onKeyDown(event);
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    show();
  };
  const onClick = () => (open ? close(true) : show());
  const { onBlur } = early;
  return {
    open,
    button,
    show,
    close,
    props: { ref: button, "aria-expanded": open, onClick, onKeyDown, onBlur },
  };
}
