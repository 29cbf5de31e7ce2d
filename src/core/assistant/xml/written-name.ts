/** The names of tools as models write them: with a prefix, and with the number of the call. */
import type { TagTable, ToolTags } from "./tags.ts";

/** Returns a name without the prefix that some models put before it. */
export function lastName(name: string): string {
  return name.slice(Math.max(name.lastIndexOf("."), name.lastIndexOf(":"), name.lastIndexOf("/")) + 1);
}

/** Returns the tool that `name` means: `read_file`, `functions.read_file`, `functions.read_file:0`. */
export function toolNamed(name: string, tags: TagTable): ToolTags | undefined {
  return tags.find(lastName(name.replace(/:\d+$/, "")));
}
