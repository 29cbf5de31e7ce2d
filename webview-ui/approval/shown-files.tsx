/** The files of a change that is approved or rejected as a whole. Each file unfolds to its hunks. */
import { useId, useState } from "react";
import type { ChangedFile } from "../../src/shared/event.ts";
import { FileChangeLine, LineCounts } from "../rows/calls/changes.tsx";
import { Icon } from "../toolkit/icon.tsx";
import { DiffHunks } from "./diff-hunks.tsx";

const NONE: ReadonlySet<number> = new Set();

export function ShownFiles({ files }: { files: readonly ChangedFile[] }) {
  return (
    <ul className="patch-files" data-testid="shown-files">
      {files.map((file, index) => (
        <ShownFile key={file.path} file={file} isFirst={index === 0} />
      ))}
    </ul>
  );
}

function ShownFile({ file, isFirst }: { file: ChangedFile; isFirst: boolean }) {
  const [open, setOpen] = useState(isFirst);
  const hunksId = useId();
  const { added, removed, hunks } = file;
  const isEmpty = hunks === undefined || hunks.shown.length === 0;
  return (
    <li className="patch-file" data-testid="shown-file">
      <div className="patch-file-line">
        {isEmpty ? (
          <span className="patch-file-name">
            <FileChangeLine file={file} />
          </span>
        ) : (
          <button
            type="button"
            className="patch-file-name"
            aria-expanded={open}
            aria-controls={open ? hunksId : undefined}
            onClick={() => setOpen(!open)}
          >
            <Icon name="chevron" />
            <span>
              <FileChangeLine file={file} />
            </span>
          </button>
        )}{" "}
        <LineCounts added={added} removed={removed} />
      </div>
      {open && !isEmpty ? (
        <div id={hunksId}>
          <DiffHunks hunks={hunks} excluded={NONE} disabled isFixed onExcluded={() => {}} />
        </div>
      ) : null}
    </li>
  );
}
