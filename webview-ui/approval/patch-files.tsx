/** The files of a pending patch. Each file can be excluded, and unfolds to its hunks, which can be excluded too. */
import { useId, useState } from "react";
import {
  type ChoosableFile,
  hunkIndexes,
  isFileIncluded,
  withFile,
} from "../../src/shared/view/hunk-choice.ts";
import { usePanel } from "../panel.ts";
import { FileChangeLine, LineCounts } from "../rows/calls/changes.tsx";
import { Checkbox } from "../toolkit/checkbox.tsx";
import { Icon } from "../toolkit/icon.tsx";
import { DiffHunks } from "./diff-hunks.tsx";

interface Props {
  files: readonly ChoosableFile[];
  excluded: ReadonlySet<number>;
  /** The paths of files that the user edited in the diff: these can be excluded only as a whole. */
  edited: readonly string[];
  disabled: boolean;
  onExcluded(left: ReadonlySet<number>): void;
}

export function PatchFiles({ files, ...choice }: Props) {
  return (
    <ul className="patch-files" data-testid="patch-files">
      {files.map((file, index) => (
        <PatchFile key={file.path} file={file} isFirst={index === 0} {...choice} />
      ))}
    </ul>
  );
}

interface FileProps extends Omit<Props, "files"> {
  file: ChoosableFile;
  isFirst: boolean;
}

function PatchFile({ file, isFirst, excluded, edited, disabled, onExcluded }: FileProps) {
  const { t } = usePanel();
  const [open, setOpen] = useState(isFirst);
  const hunksId = useId();
  const { path, kind, added, removed, hunks, at } = file;
  const isEdited = edited.includes(path);
  const isIncluded = isFileIncluded(file, excluded, isEdited);
  const indexes = hunkIndexes(file);
  const change = (excludedHunks: ReadonlySet<number>) => {
    const next = new Set([...excluded].filter((index) => !indexes.includes(index)));
    for (const index of excludedHunks) next.add(at + 1 + index);
    onExcluded(next);
  };
  const name = <FileChangeLine file={file} />;
  return (
    <li className="patch-file" data-testid="patch-file" data-taken={isIncluded}>
      <div className="patch-file-line">
        <Checkbox
          testId="take-file"
          name={t("Include the changes to {0}", path)}
          on={isIncluded}
          disabled={disabled}
          change={(on) => onExcluded(withFile(file, excluded, on))}
        />
        {hunks === undefined ? (
          <span className="patch-file-name">{name}</span>
        ) : (
          <button
            type="button"
            className="patch-file-name"
            aria-expanded={open}
            aria-controls={open ? hunksId : undefined}
            onClick={() => setOpen(!open)}
          >
            <Icon name="chevron" />
            <span>{name}</span>
          </button>
        )}{" "}
        <LineCounts added={added} removed={removed} />
      </div>
      {open && hunks !== undefined ? (
        <div id={hunksId}>
          <DiffHunks
            hunks={hunks}
            excluded={
              new Set(
                indexes.flatMap((index, hunk) => (excluded.has(at) || excluded.has(index) ? [hunk] : [])),
              )
            }
            disabled={disabled || isEdited || excluded.has(at)}
            isChoosable={kind === "move"}
            onExcluded={change}
          />
        </div>
      ) : null}
    </li>
  );
}
