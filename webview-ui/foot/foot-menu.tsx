/** A menu that opens from a button of the foot: it is moved through by keys, and closed by Escape, by Tab and by a press elsewhere. */
import { type KeyboardEvent, type ReactNode, useState } from "react";
import { Icon } from "../toolkit/icon.tsx";
import { MenuKeys } from "../toolkit/menu-keys.ts";
import { type PopoverProps, usePopover } from "./use-popover.ts";

const chosenItem = (menu: HTMLElement) =>
  menu.querySelector<HTMLElement>("[aria-checked=true]") ?? menu.querySelector("button");

interface FootMenuProps extends PopoverProps {
  label: string;
  testId: string;
  /** Not all items are there yet. */
  busy?: boolean;
  children: ReactNode;
}

export function FootMenu({ button, close, label, testId, busy = false, children }: FootMenuProps) {
  const root = usePopover({ button, close }, chosenItem);
  const [keys] = useState(() => new MenuKeys());
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" || event.key === "Tab") {
      event.preventDefault();
      event.stopPropagation();
      close(true);
    } else if (root.current && !event.ctrlKey && !event.metaKey && !event.altKey) {
      if (keys.press(root.current, event)) event.preventDefault();
    }
  };
  return (
    <div
      ref={root}
      className="picker foot-menu"
      role="menu"
      tabIndex={-1}
      aria-label={label}
      aria-busy={busy}
      data-testid={testId}
      onKeyDown={onKeyDown}
    >
      {children}
    </div>
  );
}

/** Items of a menu under a heading. */
export function FootGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of a menu
    <div role="group" aria-label={label} className="foot-group">
      <div className="picker-head" aria-hidden="true">
        {label}
      </div>
      {children}
    </div>
  );
}

/** Whether an item is chosen. */
export function FootMark({ on }: { on: boolean | "mixed" }) {
  return (
    <span className="foot-mark" aria-hidden="true">
      {on === "mixed" ? "–" : on ? <Icon name="check" /> : null}
    </span>
  );
}
