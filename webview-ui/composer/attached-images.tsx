import { useRef } from "react";
import type { Attachment } from "../host.ts";
import { usePanel } from "../panel.ts";
import { IconButton } from "../toolkit/button.tsx";
import { Icon } from "../toolkit/icon.tsx";

/** The images that go out with the message, each with a button that takes it back. */
export function AttachedImages(props: { images: readonly Attachment[]; remove(index: number): void }) {
  const { t } = usePanel();
  if (props.images.length === 0) return null;
  return (
    <ul className="attached" aria-label={t("Attached images")}>
      {props.images.map((image, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same image may be pasted twice
        <li key={index}>
          <img src={`data:${image.mimeType};base64,${image.data}`} alt={t("Image {0}", index + 1)} />
          <IconButton label={t("Remove image {0}", index + 1)} onPress={() => props.remove(index)}>
            <Icon name="close" />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

/** Opens the system's own choice of files. */
export function AttachButton({ attach }: { attach(files: Iterable<File>): boolean }) {
  const { t } = usePanel();
  const input = useRef<HTMLInputElement>(null);
  return (
    <span className="attach">
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/gif,image/webp"
        multiple
        hidden
        onChange={(event) => {
          attach(event.currentTarget.files ?? []);
          // The same file may be chosen again.
          event.currentTarget.value = "";
        }}
      />
      <IconButton label={t("Attach images")} testId="attach" onPress={() => input.current?.click()}>
        <Icon name="image" />
      </IconButton>
    </span>
  );
}
