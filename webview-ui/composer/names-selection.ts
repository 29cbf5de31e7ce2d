import type { CurrentFile } from "../../src/shared/view/current-file.ts";

/** Whether the text mentions exactly the lines that are selected in the current file. */
export function namesSelection(text: string, { path, lines }: CurrentFile): boolean {
  if (!lines) return false;
  const named = `${path}:${lines.start}-${lines.end}`;
  const single = lines.start === lines.end ? `${path}:${lines.start}` : named;
  return [named, single].some((each) => {
    const at = text.indexOf(each);
    return at >= 0 && !/[\d-]/.test(text.charAt(at + each.length));
  });
}
