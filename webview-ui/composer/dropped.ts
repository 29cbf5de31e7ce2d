/** Formats with one URI per line: the editor's own and the web standard's. */
const LISTS = ["application/vnd.code.uri-list", "text/uri-list"] as const;

/** A JSON array of URIs. */
const RESOURCES = "resourceurls";

/**
 * What a drag carries: URIs of files in the editor, or files of the system, whose content the page can read but not their
 * path.
 */
export type DraggedKind = "files" | "images" | undefined;

/** The kind of the content, which is all that can be read during the drag. */
export function carried({ types }: Pick<DataTransfer, "types">): DraggedKind {
  const names = types.map((type) => type.toLowerCase());
  if ([...LISTS, RESOURCES].some((type) => names.includes(type))) return "files";
  return names.includes("files") ? "images" : undefined;
}

/** URIs of the dropped content, without duplicates; empty when it has none. */
export function droppedUris(data: Pick<DataTransfer, "getData">): string[] {
  for (const type of LISTS) {
    const lines = data.getData(type).split(/\r?\n/);
    const uris = lines.map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#"));
    if (uris.length > 0) return [...new Set(uris)];
  }
  return [...new Set(jsonStrings(data.getData(RESOURCES)))];
}

function jsonStrings(text: string): string[] {
  try {
    const value: unknown = JSON.parse(text === "" ? "[]" : text);
    return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
  } catch {
    // Another program uses the same name for its own format.
    return [];
  }
}
