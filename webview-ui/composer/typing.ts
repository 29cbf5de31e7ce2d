/**
 * Changes the text to `next` in one edit, with the cursor at `cursor`. Returns false without any change when the box
 * does not have the focus or is not on the page.
 */
export function typeOver(box: HTMLTextAreaElement | null, next: string, cursor: number): boolean {
  if (!box || document.activeElement !== box) return false;
  const before = box.value;
  const most = Math.min(before.length, next.length);
  let start = 0;
  while (start < most && before[start] === next[start]) start++;
  // An edit must not split a surrogate pair.
  if (/[\ud800-\udbff]/.test(before[start - 1] ?? "")) start--;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === next[next.length - 1 - end]) end++;
  if (/[\udc00-\udfff]/.test(before[before.length - end] ?? "")) end--;
  const words = next.slice(start, next.length - end);
  box.setSelectionRange(start, before.length - end);
  // `execCommand` is the only way to make an edit that the user can undo. The page receives it as a normal input event.
  if (words !== "") document.execCommand("insertText", false, words);
  else if (start < before.length - end) document.execCommand("delete");
  box.setSelectionRange(cursor, cursor);
  return true;
}

/** Removes the text between the offsets, and the duplicate space that would remain. */
export function without(text: string, start: number, end: number): string {
  const before = text.slice(0, start);
  const after = text.slice(end);
  const atEdge = before === "" || /\s$/.test(before);
  return before + (atEdge ? after.replace(/^[ \t\u3000]/, "") : after);
}
