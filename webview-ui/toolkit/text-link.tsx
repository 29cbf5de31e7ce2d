/**
 * A link that never navigates. The toolkit's link is an anchor: the page around the panel would follow its address, and its text
 * does not wrap across lines.
 */
import type { KeyboardEvent, ReactNode } from "react";

interface Props {
  /** The accessible name, if the visible text is not sufficient. */
  name?: string;
  title?: string;
  data?: Readonly<Record<`data-${string}`, string>>;
  follow(link: Element): void;
  children: ReactNode;
}

export function TextLink({ name, title, data, follow, children }: Props) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    follow(event.currentTarget);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an <a> with an address would navigate
    <span
      {...data}
      role="link"
      tabIndex={0}
      className="link"
      aria-label={name}
      title={title}
      onClick={(event) => follow(event.currentTarget)}
      onKeyDown={onKeyDown}
    >
      {children}
    </span>
  );
}
