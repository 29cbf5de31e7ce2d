/** Footnotes: the references in a text, which are links if the note exists, and the notes. */
import { createContext, type ReactNode, useContext, useLayoutEffect, useSyncExternalStore } from "react";
import { usePanel } from "../panel.ts";
import { TextLink } from "../toolkit/text-link.tsx";

/** The notes of one text that are on the page. A note often follows long after the text that refers to it. */
export class Footnotes {
  readonly #names = new Map<string, number>();
  readonly #listeners = new Set<() => void>();

  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** Returns a function that removes the note. */
  add(name: string): () => void {
    this.#names.set(name, (this.#names.get(name) ?? 0) + 1);
    this.#changed();
    return () => {
      const rest = (this.#names.get(name) ?? 1) - 1;
      if (rest > 0) this.#names.set(name, rest);
      else this.#names.delete(name);
      this.#changed();
    };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

const NONE = new Footnotes();
export const FootnotesContext = createContext<Footnotes>(NONE);

/** Scrolls to the other end of a footnote, which is in the same text, and moves the focus there. */
function goTo(from: Element, attribute: string, name: string): void {
  const text = from.closest("[data-row]") ?? from.ownerDocument.body;
  const target = text.querySelector<HTMLElement>(`[${attribute}="${CSS.escape(name)}"]`);
  target?.scrollIntoView({ block: "nearest" });
  target?.focus({ preventScroll: true });
}

function Jump(props: { attribute: string; name: string; label: string; children: ReactNode }) {
  const go = (element: Element) => goTo(element, props.attribute, props.name);
  const own = props.attribute === "data-footnote" ? { "data-footnote-ref": props.name } : {};
  return (
    <TextLink data={own} name={props.label} follow={go}>
      {props.children}
    </TextLink>
  );
}

export function FootnoteRef({ name }: { name: string }) {
  const { t } = usePanel();
  const notes = useContext(FootnotesContext);
  const exists = useSyncExternalStore(notes.subscribe, () => notes.has(name));
  if (!exists) return `[^${name}]`;
  return (
    <sup>
      <Jump attribute="data-footnote" name={name} label={t("Footnote {0}", name)}>
        {name}
      </Jump>
    </sup>
  );
}

export function Footnote({ name, children }: { name: string; children: ReactNode }) {
  const { t } = usePanel();
  const notes = useContext(FootnotesContext);
  useLayoutEffect(() => notes.add(name), [notes, name]);
  return (
    <div className="md-footnote" data-footnote={name} tabIndex={-1}>
      <span className="md-footnote-name">{name}</span>
      <span>
        {children}{" "}
        <Jump attribute="data-footnote-ref" name={name} label={t("Back to the text")}>
          ↩
        </Jump>
      </span>
    </div>
  );
}
