/** Images that go along with a message. */

import { useRef } from "react";
import { messageOf } from "../../src/shared/message-of.ts";
import type { Translate } from "../../src/shared/words/task-words.ts";
import type { Attachment } from "../host.ts";
import { usePanel } from "../panel.ts";
import { IconButton } from "../toolkit/button.tsx";
import { Icon } from "../toolkit/icon.tsx";

/** Megabytes of one image; larger ones are refused by most endpoints. */
const largest = 5;
const kinds: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** Reads images. `problems` says, in the person's words, which files are not taken and why. */
export async function readImages(
  files: readonly File[],
  t: Translate,
): Promise<{ images: Attachment[]; problems: string[] }> {
  const read = await Promise.allSettled(files.map((file) => readImage(file, t)));
  return {
    images: read.flatMap((each) => (each.status === "fulfilled" ? [each.value] : [])),
    problems: read.flatMap((each) => (each.status === "rejected" ? [messageOf(each.reason)] : [])),
  };
}

async function readImage(file: File, t: Translate): Promise<Attachment> {
  if (!kinds.has(file.type))
    throw new Error(
      t(
        "{0} is no image of a kind that models take. Name a file of the workspace with @, or drag it here from the editor.",
        file.name,
      ),
    );
  if (file.size > largest * 1_000_000)
    throw new Error(t("{0} is too large: an image may have {1} MB.", file.name, largest));
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error(file.name));
    reader.readAsDataURL(file);
  });
  return { mimeType: file.type, data: url.slice(url.indexOf(",") + 1) };
}

/** Opens the system's own choice of files. */
export function AttachButton({ attach }: { attach(files: Iterable<File>): void }) {
  const { t } = usePanel();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={[...kinds].join()}
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
    </>
  );
}
