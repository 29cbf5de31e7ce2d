/** What goes along with the message: a chip for each mention in the draft and each image, and a way to take it out. */
import { type KeyboardEvent, useMemo } from "react";
import { findMentions, type Mention } from "../../src/shared/mentions.ts";
import type { Translate } from "../../src/shared/words/task-words.ts";
import type { Attachment } from "../host.ts";
import { usePanel } from "../panel.ts";
import { Visible } from "../text/visible.tsx";
import { Icon, type IconName } from "../toolkit/icon.tsx";

interface ChipsProps {
  text: string;
  /** Where the cursor was after the last change: a mention that ends there may still be typed. */
  cursor: number;
  images: readonly Attachment[];
  removeMention(mention: Mention): void;
  removeImage(index: number): void;
}

export function Chips({ text, cursor, images, removeMention, removeImage }: ChipsProps) {
  const { t } = usePanel();
  const mentions = useMemo(() => findMentions(text).filter(({ end }) => end !== cursor), [text, cursor]);
  if (mentions.length + images.length === 0) return null;
  return (
    <ul className="chips" aria-label={t("Goes along with the message")}>
      {mentions.map((mention) => (
        <Chip
          key={mention.start}
          testId="mention-chip"
          title={mention.value === "" ? text.slice(mention.start, mention.end) : mention.value}
          removal={t("Remove {0}", labelOf(t, mention))}
          remove={() => removeMention(mention)}
        >
          <Icon name={icons[mention.kind]} />
          <span className="chip-name">
            <Visible text={labelOf(t, mention)} />
          </span>
        </Chip>
      ))}
      {images.map((image, index) => (
        <Chip
          // biome-ignore lint/suspicious/noArrayIndexKey: the same image may be pasted twice
          key={`image ${index}`}
          testId="image-chip"
          title={t("Image {0}", index + 1)}
          removal={t("Remove image {0}", index + 1)}
          remove={() => removeImage(index)}
        >
          <img src={`data:${image.mimeType};base64,${image.data}`} alt={t("Image {0}", index + 1)} />
        </Chip>
      ))}
    </ul>
  );
}

const icons: Readonly<Record<Mention["kind"], IconName>> = {
  file: "file",
  folder: "folder",
  url: "globe",
  problems: "warning",
  terminal: "terminal",
  "git-changes": "branch",
  commit: "branch",
};

/** Short enough for a chip; the whole is its tooltip. */
function labelOf(t: Translate, { kind, value }: Mention): string {
  switch (kind) {
    case "file":
      return value.slice(value.lastIndexOf("/") + 1);
    case "folder":
      return value === "" ? "/" : value.replace(/^.*\/(?=[^/]+\/$)/, "");
    case "url":
      return value.replace(/^https?:\/\/(?:www\.)?/, "").replace(/\/$/, "");
    case "problems":
      return t("Problems");
    case "terminal":
      return t("Terminal");
    case "git-changes":
      return t("Git changes");
    case "commit":
      return value.slice(0, 7);
  }
}

interface ChipProps {
  testId: string;
  title: string;
  removal: string;
  remove(): void;
  children: React.ReactNode;
}

function Chip({ testId, title, removal, remove, children }: ChipProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Delete" && event.key !== "Backspace") return;
    event.preventDefault();
    remove();
  };
  return (
    <li className="chip" data-testid={testId} title={title}>
      {children}
      <button type="button" aria-label={removal} title={removal} onClick={remove} onKeyDown={onKeyDown}>
        <Icon name="close" />
      </button>
    </li>
  );
}
