import type { ChangedFile } from "../../../src/shared/event.ts";
import { fileChangeText } from "../../../src/shared/words/task-words.ts";
import { usePanel } from "../../panel.ts";
import { Breakable, Changes } from "./changes.tsx";

/** The files of a call that changes several, each with its kind of change. */
export function ChangedFiles({ files }: { files: readonly ChangedFile[] }) {
  const { t } = usePanel();
  return (
    <ul className="changed-files">
      {files.map(({ path, kind, added, removed, to }) => (
        <li key={path}>
          <span className="detail">{fileChangeText(t, kind)}</span>{" "}
          <code>
            <Breakable text={path} />
            {to === undefined ? null : (
              <>
                {" → "}
                <Breakable text={to} />
              </>
            )}
          </code>{" "}
          <Changes added={added} removed={removed} />
        </li>
      ))}
    </ul>
  );
}
