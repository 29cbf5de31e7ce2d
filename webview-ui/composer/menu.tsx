import { type ReactNode, useEffect, useRef } from "react";
import type { Menu } from "./use-menu.ts";

interface MenuListProps<Item> {
  menu: Menu<Item>;
  /** The list's accessible name, and what is said when it opens. */
  label: string;
  found: string;
  testId: "mention" | "slash";
  /** What tells an item from the others; also its tooltip. */
  keyOf(item: Item): string;
  /** An item takes more than a line. */
  tall?: boolean;
  children(item: Item): ReactNode;
}

/** What fits the words being typed. The focus stays in the composer, which steers the list. */
export function MenuList<Item>(props: MenuListProps<Item>) {
  const { menu, label, found, testId, keyOf, tall = false, children } = props;
  const list = useRef<HTMLDivElement>(null);
  const { open, items, active } = menu;
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    <>
      <div className="only-heard" role="status">
        {open ? found : ""}
      </div>
      {open ? (
        <div
          ref={list}
          className="picker"
          id={menu.listId}
          data-testid={`${testId}-menu`}
          role="listbox"
          aria-label={label}
        >
          {items.map((item, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the composer keeps the focus (aria-activedescendant)
            // biome-ignore lint/a11y/useKeyWithClickEvents: the composer hears the keys
            <div
              key={keyOf(item)}
              id={menu.optionId(index)}
              data-testid={`${testId}-option`}
              role="option"
              className={tall ? "picker-tall" : undefined}
              aria-selected={index === active}
              title={keyOf(item)}
              // A press must not take the focus from the composer.
              onMouseDown={(event) => event.preventDefault()}
              onMouseMove={() => index !== active && menu.setActive(index)}
              onClick={() => menu.choose(index)}
            >
              {children(item)}
            </div>
          ))}
        </div>
      ) : null}
    </>
  );
}
