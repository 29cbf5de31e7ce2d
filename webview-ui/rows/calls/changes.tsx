/** A short form of a change: its path and its line counts. */
import { Fragment } from "react";
import type { ChangedFile } from "../../../src/shared/event.ts";
import { fileChangeText } from "../../../src/shared/words/task-words.ts";
import { usePanel } from "../../panel.ts";
import { Visible } from "../../text/visible.tsx";

/** Allows line breaks after the slashes of a path. */
export function Breakable({ text }: { text: string }) {
  return text.split(/(?<=\/)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one string have no other identity
    <Fragment key={index}>
      <Visible text={part} />
      <wbr />
    </Fragment>
  ));
}

/** How many lines a change adds and removes; nothing for a count of 0. */
export function LineCounts(props: { added: number | undefined; removed: number | undefined }) {
  const { t } = usePanel();
  const { added = 0, removed = 0 } = props;
  if (added === 0 && removed === 0) return null;
  return (
    <span className="changes">
      <span className="only-heard">{t("Lines added: {0}, removed: {1}", added, removed)}</span>
      {added === 0 ? null : (
        <span aria-hidden="true" className="added">
          +{added}
        </span>
      )}
      {removed === 0 ? null : (
        <span aria-hidden="true" className="removed">
          −{removed}
        </span>
      )}
    </span>
  );
}

/** The files of a call that changes several, each with its kind of change. */
export function ChangedFiles({ files }: { files: readonly ChangedFile[] }) {
  return (
    <ul className="changed-files">
      {files.map((file) => (
        <li key={file.path}>
          <FileChangeLine file={file} /> <LineCounts added={file.added} removed={file.removed} />
        </li>
      ))}
    </ul>
  );
}

/** What happens to a file: the kind of change, its path and, if it moves, its new path. */
export function FileChangeLine({ file }: { file: Pick<ChangedFile, "path" | "kind" | "to" | "becomes"> }) {
  const { t } = usePanel();
  const { path, to } = file;
  return (
    <>
      <span className="detail">{fileChangeText(t, file)}</span>{" "}
      <code>
        <Breakable text={path} />
        {to === undefined ? null : (
          <>
            {" → "}
            <Breakable text={to} />
          </>
        )}
      </code>
    </>
  );
}
