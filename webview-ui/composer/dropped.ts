/** What a drag carries: addresses of files of the editor, or files of the system, of which a page sees the content alone. */

/** Lists of addresses, one a line, as the editor and the web's own standard name them. */
const lists = ["application/vnd.code.uri-list", "text/uri-list"] as const;
/** A JSON array of addresses. */
const resources = "resourceurls";

export type Carried = "files" | "images" | undefined;

/** While it is dragged, its kind is all that can be seen. */
export function carried({ types }: Pick<DataTransfer, "types">): Carried {
  const names = types.map((type) => type.toLowerCase());
  if ([...lists, resources].some((type) => names.includes(type))) return "files";
  return names.includes("files") ? "images" : undefined;
}

/** Addresses of what was dropped, each once; none where it carries none. */
export function droppedUris(data: Pick<DataTransfer, "getData">): string[] {
  for (const type of lists) {
    const lines = data.getData(type).split(/\r?\n/);
    const uris = lines.map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#"));
    if (uris.length > 0) return [...new Set(uris)];
  }
  return [...new Set(jsonStrings(data.getData(resources)))];
}

function jsonStrings(text: string): string[] {
  try {
    const value: unknown = JSON.parse(text === "" ? "[]" : text);
    return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
  } catch {
    // Another program's own format under the same name carries nothing for us.
    return [];
  }
}
