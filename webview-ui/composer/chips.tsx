/** Shows the draft's mentions and images as chips that can be removed. */
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useState } from "react";
import { findMentions, type Mention } from "../../src/shared/mentions.ts";
import type { PathKind } from "../../src/shared/view/current-file.ts";
import type { DraftAttachment } from "../host.ts";
import { usePanel } from "../panel.ts";
import { Visible } from "../text/visible.tsx";
import { Icon } from "../toolkit/icon.tsx";
import { chipPresentation } from "./mention-presentations.ts";

interface ChipsProps {
  text: string;
  /** Cursor position after the last change: a mention that ends there may still be incomplete. */
  cursor: number;
  images: readonly DraftAttachment[];
  /** Rendered before the other chips. */
  first?: ReactNode;
  removeMention(mention: Mention): void;
  removeImage(index: number): void;
}

export default function Chips({ text, cursor, images, first, removeMention, removeImage }: ChipsProps) {
  const { t } = usePanel();
  const mentions = useMemo(() => findMentions(text).filter(({ end }) => end !== cursor), [text, cursor]);
  const kinds = useKinds(mentions);
  if (!first && mentions.length + images.length === 0) return null;
  return (
    <ul className="chips" aria-label={t("Attached to the message")}>
      {first}
      {mentions.map((mention) => {
        const { icon, label } = chipPresentation(t, mention, kinds.get(mention.value));
        return (
          <Chip
            key={mention.start}
            testId="mention-chip"
            title={mention.value === "" ? text.slice(mention.start, mention.end) : mention.value}
            removal={t("Remove {0}", label)}
            remove={() => removeMention(mention)}
          >
            <Icon name={icon} />
            <span className="chip-name">
              <Visible text={label} />
            </span>
          </Chip>
        );
      })}
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

/** Maximum number of paths in one request. */
const MOST_PATHS = 100;

/** What the mentioned paths are, by the value of the mention. Asks the host again whenever the set of mentioned paths changes. */
function useKinds(mentions: readonly Mention[]): ReadonlyMap<string, PathKind> {
  const { actions } = usePanel();
  const [kinds, setKinds] = useState<ReadonlyMap<string, PathKind>>(new Map());
  const wanted = [
    ...new Set(mentions.flatMap(({ kind, value }) => (kind === "file" || kind === "folder" ? [value] : []))),
  ].join("\n");
  useEffect(() => {
    if (wanted === "") return;
    // No path of a mention contains a line break.
    const paths = wanted.split("\n").slice(0, MOST_PATHS);
    let isLatest = true;
    void actions.quietly("files/kinds", { paths }).then((answer) => {
      if (!isLatest || !answer) return;
      setKinds(new Map(answer.kinds.map((kind, index) => [paths[index] ?? "", kind])));
    });
    return () => {
      isLatest = false;
    };
  }, [wanted, actions]);
  return kinds;
}
