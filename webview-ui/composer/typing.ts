/** Changes of the composer's text that the person can take back with undo, as they can what they type. */

/**
 * Makes the box hold `next` by one edit of its own, with the cursor at `cursor`. False, having done nothing: it has not
 * the focus, or is not on the page.
 */
export function typeOver(box: HTMLTextAreaElement | null, next: string, cursor: number): boolean {
  if (!box || document.activeElement !== box) return false;
  const before = box.value;
  const most = Math.min(before.length, next.length);
  let start = 0;
  while (start < most && before[start] === next[start]) start++;
  // Half a character of two code units is none.
  if (/[\ud800-\udbff]/.test(before[start - 1] ?? "")) start--;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === next[next.length - 1 - end]) end++;
  if (/[\udc00-\udfff]/.test(before[before.length - end] ?? "")) end--;
  const words = next.slice(start, next.length - end);
  box.setSelectionRange(start, before.length - end);
  // The one way to an edit that undo knows of; it is said to the page as an input, like any other.
  if (words !== "") document.execCommand("insertText", false, words);
  else if (start < before.length - end) document.execCommand("delete");
  box.setSelectionRange(cursor, cursor);
  return true;
}

/** The text without what is between the offsets, and without the space that then stands double. */
export function without(text: string, start: number, end: number): string {
  const before = text.slice(0, start);
  const after = text.slice(end);
  const atEdge = before === "" || /\s$/.test(before);
  return before + (atEdge ? after.replace(/^[ \t\u3000]/, "") : after);
}
