/**
 * Accepts dropped content: files become mentions, images become attachments. A drop on a message being
 * edited belongs to that message, any other drop to the composer.
 */
import { type RefObject, useEffect, useRef, useState } from "react";
import { usePanel } from "../panel.ts";
import { carried, type DraggedKind, droppedUris } from "./dropped.ts";

interface DropZoneProps {
  /** The element that contains the text field. */
  root: RefObject<HTMLElement | null>;
  attach(files: Iterable<File>): void;
  mention(uris: string[]): void;
}

export function DropZone(props: DropZoneProps) {
  const { t } = usePanel();
  const [over, setOver] = useState<DraggedKind>(undefined);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    const messageAt = (element: EventTarget | null | undefined) =>
      element instanceof Element ? element.closest(".message-editor") : null;
    const isHere = ({ target }: DragEvent) => messageAt(target) === messageAt(latest.current.root.current);
    const onDragOver = (event: DragEvent) => {
      const kind = event.dataTransfer && isHere(event) ? carried(event.dataTransfer) : undefined;
      setOver(kind);
      // Dropped text is inserted at the drop position, as in any text field.
      if (!kind || !event.dataTransfer) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
    };
    const onDragLeave = (event: DragEvent) => {
      // `relatedTarget` is the element being entered; it is null when the pointer leaves the page.
      if (event.relatedTarget === null) setOver(undefined);
    };
    const onDrop = (event: DragEvent) => {
      setOver(undefined);
      const data = event.dataTransfer;
      if (!data || !isHere(event) || !carried(data)) return;
      event.preventDefault();
      const uris = droppedUris(data);
      if (uris.length > 0) latest.current.mention(uris);
      else latest.current.attach(data.files);
    };
    window.addEventListener("dragenter", onDragOver);
    window.addEventListener("dragover", onDragOver);
    window.addEventListener("dragleave", onDragLeave);
    window.addEventListener("drop", onDrop);
    return () => {
      window.removeEventListener("dragenter", onDragOver);
      window.removeEventListener("dragover", onDragOver);
      window.removeEventListener("dragleave", onDragLeave);
      window.removeEventListener("drop", onDrop);
    };
  }, []);
  if (over === undefined) return null;
  return (
    <div className="drop-zone" data-testid="drop-zone">
      {over === "files" ? t("Drop to mention") : t("Drop to attach")}
    </div>
  );
}
