/** Scrolls to rows of the conversation that may be far from the visible part, inside a fold, or not loaded yet. */
import { flushSync } from "react-dom";
import { speaksToUser } from "../../src/shared/speaks-to-user.ts";
import type { ToolPresentations } from "../../src/shared/tool-presentation.ts";
import { type ChatView, type Row, rowsOf } from "../../src/shared/view/reducer.ts";
import type { Actions } from "../actions.ts";
import type { PanelStore } from "../store.ts";
import { foldsAround, layoutOf } from "../turns/layout.ts";
import { openFolds } from "../turns/open-folds.ts";
import type { Follow } from "./follow.ts";

interface ScrollNavigatorOptions {
  box: HTMLElement;
  follow: Follow;
  store: PanelStore;
  actions: Actions;
  /** Called with the target, to scroll to it again whenever the layout changes, until the user scrolls. */
  aim(anchor: ScrollAnchor): void;
}

export class ScrollNavigator {
  readonly box: HTMLElement;
  readonly #options: ScrollNavigatorOptions;
  /** The number of started scrolls. A new one replaces those that still wait for rows to load. */
  #scrolls = 0;

  constructor(options: ScrollNavigatorOptions) {
    this.#options = options;
    this.box = options.box;
  }

  /** The first visible row; null while the box follows the end. */
  get place(): ScrollAnchor | null {
    return this.#options.follow.following ? null : anchorInView(this.box);
  }

  /** The row that has the focus, or contains it. */
  get focused(): string | undefined {
    const { activeElement } = document;
    const isInside = activeElement !== null && this.box.contains(activeElement);
    return isInside ? activeElement.closest<HTMLElement>("[data-row]")?.dataset.row : undefined;
  }

  /** Returns to a place, or to the end, unless the user has scrolled since the last call. */
  goBack(place: ScrollAnchor | null): void {
    const { follow } = this.#options;
    this.#scrolls += 1;
    if (!follow.restoring) return;
    if (place === null) follow.toEnd();
    else void this.reveal(place.row).then((row) => row && this.goTo(place));
  }

  /**
   * Mounts the row, opens the folds around it, and returns its element. `inside`: opens the row's own folds too. Resolves to null
   * if there is no such row, or if another scroll started in the meantime.
   */
  async reveal(row: string, inside = false): Promise<HTMLElement | null> {
    const { box, store, actions } = this.#options;
    const turn = ++this.#scrolls;
    if (!rowsOf(store.state.view).some(({ id }) => id === row) && store.state.view.earlier > 0)
      await actions.ask("chat/earlier", { until: row });
    if (turn !== this.#scrolls) return null;
    flushSync(() => store.reveal({ row, inside }));
    return rowElement(box, row);
  }

  /** Scrolls there, and keeps it in place until the user scrolls. */
  goTo(anchor: ScrollAnchor): void {
    const { box, follow, aim } = this.#options;
    aim(anchor);
    follow.hold();
    scrollToAnchor(box, anchor);
  }

  /** Moves the focus to the message before or after the one that has it; false: after the last message. */
  async step(step: 1 | -1): Promise<boolean> {
    const { box, store, actions, follow } = this.#options;
    const here = this.focused;
    if (here === undefined && step === 1) return false;
    let next = messageNextTo(store.state.view, here ?? null, step);
    if (next === undefined && step === -1 && store.state.view.earlier > 0) {
      await actions.ask("chat/earlier", {});
      next = messageNextTo(store.state.view, here ?? null, step);
    }
    if (next === undefined) return step === -1;
    const element = await this.reveal(next);
    if (!element) return true;
    focusRow(element);
    this.goTo({ row: next, offset: 0 });
    // On the last message, the box follows the end again.
    const isLast = messageNextTo(store.state.view, next, 1) === undefined;
    if (isLast && box.scrollHeight - box.scrollTop - box.clientHeight < 1) follow.toEnd();
    return true;
  }
}

/** Rows can have the focus only here. Otherwise, a click on their text would take it from the box that the keys scroll. */
function focusRow(row: HTMLElement): void {
  row.tabIndex = -1;
  row.addEventListener("blur", () => row.removeAttribute("tabindex"), { once: true });
  row.focus({ preventScroll: true });
}

/** Rows beside the messages of the user and of the model. */
const ASIDE: ReadonlySet<Row["kind"]> = new Set<Row["kind"]>(["reasoning", "checkpoint", "notice"]);

function isMessage(row: Row, faces: ToolPresentations): boolean {
  if (row.kind !== "call") return !ASIDE.has(row.kind);
  return row.state === "approval" || speaksToUser(faces, row.tool);
}

/**
 * The id of the next message before or after the row `from` that no closed fold hides; null for `from` means the end of the
 * conversation. undefined: there is none among the loaded rows.
 */
function messageNextTo(view: ChatView, from: string | null, step: 1 | -1): string | undefined {
  const rows = rowsOf(view);
  const layout = layoutOf(view);
  const start = from === null ? rows.length : rows.findLastIndex(({ id }) => id === from);
  for (let at = start + step; at >= 0 && at < rows.length; at += step) {
    const row = rows[at];
    if (!row || !isMessage(row, view.faces)) continue;
    if (foldsAround(layout, at).every(({ id }) => openFolds.current.has(id))) return row.id;
  }
  return undefined;
}

/** A place in the conversation to scroll to: a row, and possibly a part of it. */
export interface ScrollAnchor {
  row: string;
  /** Pixels of the row that are above the edge. */
  offset: number;
  /** The part of the row to scroll to; undefined: its beginning. */
  part?: (row: HTMLElement) => DOMRect | undefined;
}

/** Where a part appears in the visible area: the share of its height that is above the part. */
const PART_AT = 0.35;

function rowElement(box: HTMLElement, row: string): HTMLElement | null {
  return box.querySelector<HTMLElement>(`[data-row="${CSS.escape(row)}"]`);
}

/** Does nothing if the row is not on the page. Does not scroll if the part is already visible. */
export function scrollToAnchor(box: HTMLElement, { row, offset, part }: ScrollAnchor): void {
  const element = rowElement(box, row);
  if (!element) return;
  const edge = box.getBoundingClientRect();
  const rect = part?.(element);
  if (!rect) {
    box.scrollTop += element.getBoundingClientRect().top - edge.top + offset;
  } else if (rect.top < edge.top || rect.bottom > edge.bottom) {
    box.scrollTop += rect.top - edge.top - edge.height * PART_AT;
  }
}

/** The first visible row. The offset can be a fraction of a pixel. */
export function anchorInView(box: HTMLElement): { row: string; offset: number } | null {
  const edge = box.getBoundingClientRect().top;
  for (const row of box.querySelectorAll<HTMLElement>("[data-row]")) {
    const { top, bottom } = row.getBoundingClientRect();
    if (bottom > edge) return { row: row.dataset.row ?? "", offset: edge - top };
  }
  return null;
}
