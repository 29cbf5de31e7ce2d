/** A menu that a button opens: arrow keys, Home, End, typing ahead; Escape closes it and returns the focus to the button. */
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { Icon } from "./icon.tsx";
import { MenuKeys } from "./menu-keys.ts";

export interface MenuAction {
  id: string;
  label: string;
  disabled?: boolean;
  /** A menu that opens in place of this one, instead of `run`. */
  items?: readonly MenuAction[];
  run(): void;
}

interface Props {
  label: string;
  /** The tooltip; default: the label. */
  hint?: string;
  disabled?: boolean;
  testId: string;
  /** Of the button. */
  className?: string;
  button?: RefObject<HTMLButtonElement | null>;
  /** Default: "more". The menu of a split button has "expand". */
  icon?: "more" | "expand";
  /** Above the actions. */
  head?: ReactNode;
  actions: readonly MenuAction[];
}

/** Pixels between the menu and the edges of the panel. */
const MARGIN = 4;

export function ActionMenu({
  label,
  hint = label,
  disabled = false,
  testId,
  className = "menu-button",
  button: outer,
  icon = "more",
  head,
  actions,
}: Props) {
  const [open, setOpen] = useState(false);
  const own = useRef<HTMLButtonElement>(null);
  const button = outer ?? own;
  const menuId = useId();
  const close = (refocus: boolean) => {
    setOpen(false);
    if (refocus) button.current?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={label}
        title={hint}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? menuId : undefined}
        data-testid={testId}
        disabled={disabled}
        onClick={() => setOpen(!open)}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
          event.preventDefault();
          setOpen(true);
        }}
      >
        <Icon name={icon} />
      </button>
      {open ? (
        <Menu id={menuId} label={label} head={head} actions={actions} anchor={button.current} close={close} />
      ) : null}
    </>
  );
}

interface MenuProps extends Pick<Props, "label" | "head" | "actions"> {
  id: string;
  anchor: HTMLElement | null;
  close(refocus: boolean): void;
}

function Menu({ id, label, head, actions: all, anchor, close }: MenuProps) {
  const box = useRef<HTMLDivElement>(null);
  const [inside, setInside] = useState<MenuAction>();
  const actions = inside?.items ?? all;
  const [keys] = useState(() => new MenuKeys());
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu has another size with other actions
  useLayoutEffect(() => {
    const menu = box.current;
    if (!menu || !anchor) return;
    // In the top layer, so that no scrolling part cuts it off.
    if (!menu.matches(":popover-open")) menu.showPopover();
    const place = () => {
      // Outside the panel, the menu would be measured with wrapped lines.
      menu.style.left = `${MARGIN}px`;
      const { left, top, bottom } = anchor.getBoundingClientRect();
      const { offsetWidth: width, offsetHeight: height } = menu;
      const below = bottom + MARGIN + height <= window.innerHeight;
      menu.style.left = `${Math.max(MARGIN, Math.min(left, window.innerWidth - width - MARGIN))}px`;
      menu.style.top = `${below ? bottom + MARGIN : Math.max(MARGIN, top - height - MARGIN)}px`;
    };
    place();
    menu.querySelector<HTMLElement>("[role=menuitem]")?.focus();
    window.addEventListener("resize", place);
    return () => window.removeEventListener("resize", place);
  }, [anchor, inside]);
  useEffect(() => {
    const outside = (event: PointerEvent) => {
      const { target } = event;
      if (target instanceof Node && !box.current?.contains(target) && !anchor?.contains(target)) close(false);
    };
    document.addEventListener("pointerdown", outside, true);
    return () => document.removeEventListener("pointerdown", outside, true);
  }, [anchor, close]);

  const onKeyDown = (event: KeyboardEvent) => {
    const isShortcut = event.ctrlKey || event.metaKey || event.altKey;
    if (inside && (event.key === "Escape" || event.key === "ArrowLeft")) setInside(undefined);
    else if (event.key === "ArrowRight" && document.activeElement?.ariaHasPopup === "menu") {
      if (document.activeElement instanceof HTMLElement) document.activeElement.click();
    } else if (event.key === "Escape" || event.key === "Tab") close(true);
    else if (isShortcut || !box.current || !keys.press(box.current, event)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={box}
      id={id}
      className="action-menu"
      role="menu"
      aria-label={inside?.label ?? label}
      popover="manual"
      onKeyDown={onKeyDown}
    >
      {head === undefined ? null : (
        <div className="action-menu-head" role="presentation">
          {head}
        </div>
      )}
      {actions.map((action) => (
        <button
          key={action.id}
          type="button"
          role="menuitem"
          tabIndex={-1}
          data-testid={action.id}
          aria-disabled={action.disabled}
          aria-haspopup={action.items && "menu"}
          onClick={() => {
            if (action.disabled) return;
            if (action.items) return setInside(action);
            // The action may move the focus on.
            close(true);
            action.run();
          }}
        >
          {action.label}
          {action.items ? <Icon name="chevron" /> : null}
        </button>
      ))}
    </div>
  );
}
