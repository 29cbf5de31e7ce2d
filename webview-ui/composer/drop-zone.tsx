/**
 * Accepts dropped content: files of the editor become mentions, images become attachments. A drop on a message being
 * edited belongs to that message, any other drop to the composer.
 */
import { type RefObject, useEffect, useRef, useState } from "react";
import { usePanel } from "../panel.ts";

interface DropZoneProps {
  /** The element that contains the text field. */
  root: RefObject<HTMLElement | null>;
  attach(files: Iterable<File>): void;
  mention(uris: string[]): void;
}

export function DropZone(props: DropZoneProps) {
  const { t } = usePanel();
  const [over, setOver] = useState<DraggedKind>(undefined);
  const take = useRef(props);
  take.current = props;
  useEffect(() => {
    const messageAt = (element: EventTarget | null | undefined) =>
      element instanceof Element ? element.closest(".message-editor") : null;
    const isHere = ({ target }: DragEvent) => messageAt(target) === messageAt(take.current.root.current);
    const moved = (event: DragEvent) => {
      const kind = event.dataTransfer && isHere(event) ? carried(event.dataTransfer) : undefined;
      setOver(kind);
      // Dropped text is inserted at the drop position, as in any text field.
      if (!kind || !event.dataTransfer) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
    };
    const left = (event: DragEvent) => {
      // `relatedTarget` is the element being entered; it is null when the pointer leaves the page.
      if (event.relatedTarget === null) setOver(undefined);
    };
    const dropped = (event: DragEvent) => {
      setOver(undefined);
      const data = event.dataTransfer;
      if (!data || !isHere(event) || !carried(data)) return;
      event.preventDefault();
      const uris = droppedUris(data);
      if (uris.length > 0) take.current.mention(uris);
      else take.current.attach(data.files);
    };
    window.addEventListener("dragenter", moved);
    window.addEventListener("dragover", moved);
    window.addEventListener("dragleave", left);
    window.addEventListener("drop", dropped);
    return () => {
      window.removeEventListener("dragenter", moved);
      window.removeEventListener("dragover", moved);
      window.removeEventListener("dragleave", left);
      window.removeEventListener("drop", dropped);
    };
  }, []);
  if (over === undefined) return null;
  return (
    <div className="drop-zone" data-testid="drop-zone">
      {over === "files" ? t("Drop to mention") : t("Drop to attach image")}
    </div>
  );
}

/** Formats with one URI per line: the editor's own and the web standard's. */
const LISTS = ["application/vnd.code.uri-list", "text/uri-list"] as const;
/** A JSON array of URIs. */
const RESOURCES = "resourceurls";

/**
 * Reads the content of a drag: URIs of files in the editor, or files of the system, of which a page can read the content but
 * not the path.
 */
type DraggedKind = "files" | "images" | undefined;

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
    // Another program uses the same name for a format of its own.
    return [];
  }
}
