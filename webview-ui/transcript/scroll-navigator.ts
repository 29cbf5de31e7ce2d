/** Scrolls to rows of the conversation that may be far from the visible part, inside a fold, or not loaded yet. */
import { flushSync } from "react-dom";
import { presentationOf, type ToolPresentations } from "../../src/shared/tool-presentation.ts";
import { type ChatView, type Row, rowsOf } from "../../src/shared/view/reducer.ts";
import type { Actions } from "../actions.ts";
import type { PanelStore } from "../store.ts";
import { foldsAround, layoutOf } from "../turns/layout.ts";
import { openFolds } from "../turns/open-folds.ts";
import type { Follow } from "./follow.ts";

interface WayDeps {
  box: HTMLElement;
  follow: Follow;
  store: PanelStore;
  actions: Actions;
  /** Called with the target, to scroll to it again whenever the layout changes, until the user scrolls. */
  aim(spot: ScrollAnchor): void;
}

export class ScrollNavigator {
  readonly box: HTMLElement;
  readonly #deps: WayDeps;
  /** Counts the started scrolls. A later one replaces those that still wait for rows to load. */
  #begun = 0;

  constructor(deps: WayDeps) {
    this.#deps = deps;
    this.box = deps.box;
  }

  /** The first row in sight; null while the end is followed. */
  get place(): ScrollAnchor | null {
    return this.#deps.follow.following ? null : anchorInView(this.box);
  }

  /** The row that has the focus, or contains it. */
  get focused(): string | undefined {
    const { activeElement } = document;
    const isInside = activeElement !== null && this.box.contains(activeElement);
    return isInside ? activeElement.closest<HTMLElement>("[data-row]")?.dataset.row : undefined;
  }

  /** Returns to a place, or to the end, unless the user has scrolled since the last call. */
  goBack(place: ScrollAnchor | null): void {
    const { follow } = this.#deps;
    this.#begun += 1;
    if (!follow.restoring) return;
    if (place === null) follow.toEnd();
    else void this.reveal(place.row).then((row) => row && this.goTo(place));
  }

  /**
   * Puts the row on the page, in folds that are open, and returns its element. `inside`: opens the row's own folds too. null if
   * there is no such row, or if another scroll started in the meantime.
   */
  async reveal(row: string, inside = false): Promise<HTMLElement | null> {
    const { box, store, actions } = this.#deps;
    const turn = ++this.#begun;
    if (!rowsOf(store.state.view).some(({ id }) => id === row) && store.state.view.earlier > 0)
      await actions.ask("chat/earlier", { until: row });
    if (turn !== this.#begun) return null;
    flushSync(() => store.reveal({ row, inside }));
    return rowElement(box, row);
  }

  /** Scrolls there, and keeps it in place until the user scrolls. */
  goTo(spot: ScrollAnchor): void {
    const { box, follow, aim } = this.#deps;
    aim(spot);
    follow.hold();
    scrollToAnchor(box, spot);
  }

  /** Moves the focus to the message before or after the one that has it; false: after the last message. */
  async step(step: 1 | -1): Promise<boolean> {
    const { box, store, actions, follow } = this.#deps;
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
    // The end is followed again from its last message.
    const isLast = messageNextTo(store.state.view, next, 1) === undefined;
    if (isLast && box.scrollHeight - box.scrollTop - box.clientHeight < 1) follow.toEnd();
    return true;
  }
}

/** Rows take the focus only here: a press on their text must not take it from the box that the keys scroll. */
function focusRow(row: HTMLElement): void {
  row.tabIndex = -1;
  row.addEventListener("blur", () => row.removeAttribute("tabindex"), { once: true });
  row.focus({ preventScroll: true });
}

const SAID = new Set(["question", "proposal", "plan", "result"]);

/** Rows beside the messages of the user and of the model. */
const ASIDE: ReadonlySet<Row["kind"]> = new Set<Row["kind"]>(["reasoning", "checkpoint", "notice"]);

function isMessage(row: Row, faces: ToolPresentations): boolean {
  if (row.kind !== "call") return !ASIDE.has(row.kind);
  return row.state === "approval" || SAID.has(presentationOf(faces, row.tool)?.row ?? "");
}

/**
 * The id of the message on the page before or after the row `from`; null for `from` means the end of the conversation. undefined:
 * there is none among the loaded rows.
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
  /** The part of the row to bring into sight; undefined: its beginning. */
  part?: (row: HTMLElement) => DOMRect | undefined;
}

/** Where in the window a part is brought, from its upper edge. */
const PART_AT = 0.35;

function rowElement(box: HTMLElement, row: string): HTMLElement | null {
  return box.querySelector<HTMLElement>(`[data-row="${CSS.escape(row)}"]`);
}

/** Does nothing if the row is not on the page. A part that is in sight is not moved. */
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

/** The first visible row; the offset has fractions of a pixel. */
export function anchorInView(box: HTMLElement): { row: string; offset: number } | null {
  const edge = box.getBoundingClientRect().top;
  for (const row of box.querySelectorAll<HTMLElement>("[data-row]")) {
    const { top, bottom } = row.getBoundingClientRect();
    if (bottom > edge) return { row: row.dataset.row ?? "", offset: edge - top };
  }
  return null;
}
