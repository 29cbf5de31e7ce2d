import type { ChangedFile } from "../../../src/shared/event.ts";
import { fileChangeText } from "../../../src/shared/words/task-words.ts";
import { usePanel } from "../../panel.ts";
import { Breakable, Changes } from "./changes.tsx";

/** The files of a call that changes several, each with its kind of change. */
export function ChangedFiles({ files }: { files: readonly ChangedFile[] }) {
  return (
    <ul className="changed-files">
      {files.map((file) => (
        <li key={file.path}>
          <FileChange file={file} /> <Changes added={file.added} removed={file.removed} />
        </li>
      ))}
    </ul>
  );
}

/** What happens to a file: the kind of change, its path and, if it moves, its new path. */
export function FileChange({ file }: { file: Pick<ChangedFile, "path" | "kind" | "to" | "becomes"> }) {
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
