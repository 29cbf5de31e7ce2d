import { type ReactNode, useEffect, useRef } from "react";
import type { Menu } from "../use-menu.ts";

interface MenuListProps<Item> {
  menu: Menu<Item>;
  /** The list's accessible name, which is announced when it opens. */
  label: string;
  testId: "mention" | "slash";
  /** Identifies an item. */
  keyOf(item: Item): string;
  /** An item's tooltip. */
  titleOf(item: Item): string;
  /** The heading of an item's group; adjacent items with the same heading form one group. */
  groupOf?: ((item: Item) => string) | undefined;
  /** A line under the list. */
  foot?: string | undefined;
  /** Items take more than one line. */
  tall?: boolean;
  children(item: Item): ReactNode;
}

/** Matches for the words being typed. The focus stays in the composer, which controls the list. */
export function MenuList<Item>(props: MenuListProps<Item>) {
  const { menu, label, testId, groupOf, foot } = props;
  const { items, activeId } = menu;
  const picker = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a longer list may scroll the active item out of view
  useEffect(() => {
    picker.current?.scrollIntoView({ block: "nearest" });
  }, [items.length]);
  useEffect(() => {
    document.getElementById(activeId)?.scrollIntoView({ block: "nearest" });
  }, [activeId]);
  const option = (item: Item, index: number) => (
    <MenuOption key={props.keyOf(item)} {...props} item={item} index={index} />
  );
  return (
    <div className="picker" ref={picker}>
      <div
        className="picker-list"
        id={menu.listId}
        data-testid={`${testId}-menu`}
        role="listbox"
        aria-label={label}
      >
        {groupOf
          ? groupsOf(items, groupOf).map(({ name, first, members }) => (
              // biome-ignore lint/a11y/useSemanticElements: a group of options is not a fieldset
              <div key={first} role="group" aria-label={name}>
                <div className="picker-head" aria-hidden="true">
                  {name}
                </div>
                {members.map((item, index) => option(item, first + index))}
              </div>
            ))
          : items.map(option)}
      </div>
      {foot === undefined ? null : <div className="picker-foot">{foot}</div>}
    </div>
  );
}

interface Group<Item> {
  name: string;
  /** Index of the group's first item in the whole list. */
  first: number;
  members: Item[];
}

function groupsOf<Item>(items: readonly Item[], nameOf: (item: Item) => string): Group<Item>[] {
  const groups: Group<Item>[] = [];
  items.forEach((item, index) => {
    const name = nameOf(item);
    const last = groups.at(-1);
    if (last?.name === name) last.members.push(item);
    else groups.push({ name, first: index, members: [item] });
  });
  return groups;
}

function MenuOption<Item>(props: MenuListProps<Item> & { item: Item; index: number }) {
  const { menu, testId, titleOf, tall = false, item, index, children } = props;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the composer keeps the focus (aria-activedescendant)
    // biome-ignore lint/a11y/useKeyWithClickEvents: the composer handles the keys
    <div
      id={menu.optionId(index)}
      data-testid={`${testId}-option`}
      role="option"
      className={tall ? "picker-tall" : undefined}
      aria-selected={index === menu.active}
      title={titleOf(item)}
      // A press must not take the focus from the composer.
      onMouseDown={(event) => event.preventDefault()}
      onMouseMove={() => index !== menu.active && menu.setActive(index)}
      onClick={() => menu.choose(index)}
    >
      {children(item)}
    </div>
  );
}
