/** A button of the foot that opens something over the composer. */
import { type FocusEvent, type KeyboardEvent, type RefObject, useCallback, useRef, useState } from "react";
import { type AccessSettings, LEVEL_ACCESS } from "../../src/shared/permission/levels.ts";
import { accessOf } from "../../src/shared/permission/session-permission.ts";
import { usePanelState, useView } from "../panel.ts";

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

/**
 * Handlers of a button that opens something whose chunk may not be loaded yet. Until the chunk is loaded, pressing Escape or
 * moving the focus elsewhere cancels the opening. After that, what was opened has the focus and handles its own keys.
 *
 * `close`: `toButton` returns the focus to the button.
 */
export function untilLoaded(open: boolean, close: (toButton: boolean) => void) {
  return {
    onKeyDown(event: KeyboardEvent): void {
      if (!open || event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      close(true);
    },
    onBlur({ relatedTarget }: FocusEvent): void {
      if (open && relatedTarget?.closest(".picker") == null) close(false);
    },
  };
}

/** What runs without asking in the active session. */
export function useAccess(): AccessSettings {
  const general = usePanelState((state) => state.setup?.access);
  const permission = useView((view) => view.permission);
  return accessOf(general ?? LEVEL_ACCESS.ask, permission);
}
