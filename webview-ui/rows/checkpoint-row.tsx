/** A checkpoint: one line with the changes since then and the actions on them. */

import type { CheckpointView } from "../../src/shared/event.ts";
import type { ToolPresentation } from "../../src/shared/tool-presentation.ts";
import type { CallRow, Row } from "../../src/shared/view/reducer.ts";
import {
  gitStateText,
  keepingText,
  keptText,
  namesText,
  notKeptText,
  uncoveredText,
} from "../../src/shared/words/checkpoint-words.ts";
import { usePanel, useView } from "../panel.ts";
import { Visible } from "../text/visible.tsx";
import { Button, IconButton } from "../toolkit/button.tsx";
import { Icon } from "../toolkit/icon.tsx";

export function CheckpointRow({ row }: { row: Extract<Row, { kind: "checkpoint" }> }) {
  const { t, actions } = usePanel();
  const idle = useView((view) => view.status === "idle");
  const { id, kind, files, left, uncovered, undone } = row.checkpoint;
  const restored = kind === "restore";
  return (
    <div className="checkpoint">
      {/* If there are no files, all changes were undone, but the conversation can still be restored. */}
      {restored || files > 0 || undone ? (
        <span className="checkpoint-what">
          {restored ? (
            t("Restored files: {0}", files)
          ) : files > 0 ? (
            <FilesChanged files={files} />
          ) : (
            t("Undone")
          )}
        </span>
      ) : null}
      {files > 0 && !restored ? (
        <Button onPress={() => actions.run("checkpoint/changes", { id, only: false })}>
          {t("View changes")}
        </Button>
      ) : null}
      {restored && undone ? null : (
        <Button
          testId="restore"
          disabled={!idle}
          onPress={() => void actions.askAway("checkpoint/restore", { id, conversation: !restored })}
        >
          {restored ? t("Undo restore") : t("Restore…")}
        </Button>
      )}
      {left ? <p className="detail">{t("Too large to back up: {0}", left)}</p> : null}
      {uncovered ? <p className="detail">{uncoveredText(t, uncovered)}</p> : null}
    </div>
  );
}

/** Whether all that is to be said of an edit's change fits the line of its call. */
export function isOneLine(
  { checkpoint, state }: CallRow,
  presentation: ToolPresentation | undefined,
): boolean {
  if (!checkpoint || presentation?.work !== "edit" || state !== "done" || checkpoint.files !== 1)
    return false;
  const { folders, left, unfinished, kept, keeping } = checkpoint;
  return !(folders || left || unfinished || kept || keeping);
}

/** The actions on an edit's change, at the end of the line of its call. */
export function LineActions({ row }: { row: CallRow }) {
  const { t, actions } = usePanel();
  const { checkpoint } = row;
  if (!checkpoint) return null;
  const { id, undone } = checkpoint;
  return (
    <span className="row-actions">
      <IconButton
        label={t("View changes")}
        onPress={() => actions.run("checkpoint/changes", { id, only: true })}
      >
        <Icon name="diff" />
      </IconButton>
      {undone ? null : (
        <IconButton
          label={t("Undo")}
          testId="undo"
          onPress={() => actions.run("chat/undo", { callId: row.id })}
        >
          <Icon name="undo" />
        </IconButton>
      )}
    </span>
  );
}

/** Shown below a call that changed files, or that is known to delete or overwrite some. */
export function CallChanges({ row }: { row: CallRow }) {
  const { t, actions } = usePanel();
  const { checkpoint } = row;
  if (!checkpoint) return null;
  const { id, files, folders, left, undone, unfinished, kept, keeping } = checkpoint;
  if (keeping) return <p className="detail keeping">{keepingText(t, keeping)}</p>;
  const isNamed = kept?.notKept.some(({ why }) => why === "size");
  const runs = unfinished && (row.state === "running" || row.state === "approval");
  const isNothingLost = kept?.notKept.every(({ why }) => why === "unknown");
  if (isNothingLost && files === 0 && !runs && !left) return null;
  return (
    <div className="checkpoint">
      <span className="checkpoint-what">
        {runs && kept ? (
          keptText(t, kept)
        ) : undone ? (
          t("Undone")
        ) : (
          <FilesChanged files={files} folders={folders ?? false} />
        )}
        {unfinished && !runs ? ` ${t("(interrupted)")}` : null}
      </span>
      {files > 0 && !folders ? (
        <Button onPress={() => actions.run("checkpoint/changes", { id, only: true })}>
          {t("View changes")}
        </Button>
      ) : null}
      {files > 0 && !undone ? (
        <Button testId="undo" onPress={() => actions.run("chat/undo", { callId: row.id })}>
          {t("Undo")}
        </Button>
      ) : null}
      {left && !isNamed ? <p className="detail">{t("Too large to back up: {0}", left)}</p> : null}
      <KeptDetails checkpoint={checkpoint} />
    </div>
  );
}

/** The files that Undo restores, and those that it does not. */
function KeptDetails({ checkpoint }: { checkpoint: CheckpointView }) {
  const { t } = usePanel();
  const { kept, names, files, undone } = checkpoint;
  if (!kept) return null;
  const lines = [
    ...(names && !undone ? [namesText(t, names, files)] : []),
    ...kept.notKept.map((each) => notKeptText(t, each)),
    ...(kept.git && files > 0 && !undone ? [gitStateText(t, kept.git)] : []),
  ];
  return lines.map((line) => (
    <p key={line} className="detail">
      <Visible text={line} />
    </p>
  ));
}

function FilesChanged({ files, folders = false }: { files: number; folders?: boolean }) {
  const { t } = usePanel();
  if (folders) return files === 1 ? t("1 folder changed") : t("{0} folders changed", files);
  return files === 1 ? t("1 file changed") : t("{0} files changed", files);
}
