/** Images attached to a message. */

import { useRef } from "react";
import { messageOf } from "../../src/shared/message-of.ts";
import type { Translate } from "../../src/shared/words/task-words.ts";
import type { DraftAttachment } from "../host.ts";
import { usePanel } from "../panel.ts";
import { IconButton } from "../toolkit/button.tsx";
import { FileChooser } from "../toolkit/file-chooser.tsx";
import { Icon } from "../toolkit/icon.tsx";

/** Maximum megabytes per image; most endpoints reject larger ones. */
const LARGEST = 5;
const KINDS: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** Reads images. `problems` contains the rejected files and the reasons, in the user's language. */
export async function readImages(
  files: readonly File[],
  t: Translate,
): Promise<{ images: DraftAttachment[]; problems: string[] }> {
  const read = await Promise.allSettled(files.map((file) => readImage(file, t)));
  return {
    images: read.flatMap((each) => (each.status === "fulfilled" ? [each.value] : [])),
    problems: read.flatMap((each) => (each.status === "rejected" ? [messageOf(each.reason)] : [])),
  };
}

async function readImage(file: File, t: Translate): Promise<DraftAttachment> {
  if (!KINDS.has(file.type))
    throw new Error(
      t(
        "{0} is not a supported image. To mention a workspace file, type @ or drag the file here from the editor.",
        file.name,
      ),
    );
  if (file.size > LARGEST * 1_000_000)
    throw new Error(t("{0} is too large. Images can be up to {1} MB.", file.name, LARGEST));
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error(file.name));
    reader.readAsDataURL(file);
  });
  return { mimeType: file.type, data: url.slice(url.indexOf(",") + 1) };
}

/** Opens the system's file dialog. */
export function AttachButton({ attach }: { attach(files: Iterable<File>): void }) {
  const { t } = usePanel();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <FileChooser opener={input} accept={[...KINDS]} choose={attach} />
      <IconButton label={t("Attach images")} testId="attach" onPress={() => input.current?.click()}>
        <Icon name="image" />
      </IconButton>
    </>
  );
}
