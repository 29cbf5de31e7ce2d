import { type ReactNode, useEffect, useRef } from "react";
import type { FileHit } from "../../src/shared/protocol.ts";
import { usePanel } from "../panel.ts";
import { Icon } from "../toolkit/icon.tsx";
import type { Mentions } from "./use-mentions.ts";

/** Files and folders that fit what is typed after `@`. The focus stays in the composer, which steers the list. */
export function MentionMenu({ mentions }: { mentions: Mentions }) {
  const { t } = usePanel();
  const list = useRef<HTMLDivElement>(null);
  const { open, hits, active } = mentions;
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    <>
      <div className="only-heard" role="status">
        {open ? t("{0} files found", hits.length) : ""}
      </div>
      {open ? (
        <div
          ref={list}
          className="mention-menu"
          id={mentions.listId}
          data-testid="mention-menu"
          role="listbox"
          aria-label={t("Files")}
        >
          {hits.map((hit, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the composer keeps the focus (aria-activedescendant)
            // biome-ignore lint/a11y/useKeyWithClickEvents: the composer hears the keys
            <div
              key={hit.path}
              id={mentions.optionId(index)}
              data-testid="mention-option"
              role="option"
              aria-selected={index === active}
              title={hit.path}
              // A press must not take the focus from the composer.
              onMouseDown={(event) => event.preventDefault()}
              onMouseMove={() => index !== active && mentions.setActive(index)}
              onClick={() => mentions.choose(index)}
            >
              <Icon name={hit.kind === "folder" ? "folder" : "file"} />
              <span className="mention-folder">{highlighted(hit, 0, nameStart(hit))}</span>
              <span className="mention-name">{highlighted(hit, nameStart(hit), hit.path.length)}</span>
            </div>
          ))}
        </div>
      ) : null}
    </>
  );
}

/** Where the last part of the path begins: it stays whole where the folders before it are shortened. */
function nameStart({ path }: FileHit): number {
  return path.slice(0, -1).lastIndexOf("/") + 1;
}

/** A part of the path with its matched characters set off, neighbours together. */
function highlighted({ path, positions }: FileHit, start: number, end: number): ReactNode[] {
  const matched = new Set(positions);
  const nodes: ReactNode[] = [];
  let from = start;
  for (let i = start + 1; i <= end; i++) {
    if (i < end && matched.has(i) === matched.has(from)) continue;
    const part = path.slice(from, i);
    nodes.push(matched.has(from) ? <mark key={from}>{part}</mark> : part);
    from = i;
  }
  return nodes;
}
