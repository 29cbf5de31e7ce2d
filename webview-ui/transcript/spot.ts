/** A place in the conversation to scroll to: a row, and possibly a part of it. */

export interface Spot {
  row: string;
  /** Pixels of the row that are above the edge. */
  offset: number;
  /** The part of the row to bring into sight; undefined: its beginning. */
  part?: (row: HTMLElement) => DOMRect | undefined;
}

/** Where in the window a part is brought, from its upper edge. */
const PART_AT = 0.35;

export function rowElement(box: HTMLElement, row: string): HTMLElement | null {
  return box.querySelector<HTMLElement>(`[data-row="${CSS.escape(row)}"]`);
}

/** Does nothing if the row is not on the page. A part that is in sight is not moved. */
export function scrollToSpot(box: HTMLElement, { row, offset, part }: Spot): void {
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
export function spotInSight(box: HTMLElement): { row: string; offset: number } | null {
  const edge = box.getBoundingClientRect().top;
  for (const row of box.querySelectorAll<HTMLElement>("[data-row]")) {
    const { top, bottom } = row.getBoundingClientRect();
    if (bottom > edge) return { row: row.dataset.row ?? "", offset: edge - top };
  }
  return null;
}
