/** A moment to go back to: what changed since, in a line, with what can be done about it. */
import { uncoveredText } from "../../src/shared/checkpoint-texts.ts";
import type { CallRow, Row } from "../../src/shared/view.ts";
import { usePanel, useView } from "../panel.ts";
import { Button } from "../toolkit/button.tsx";

export function CheckpointRow({ row }: { row: Extract<Row, { kind: "checkpoint" }> }) {
  const { t, actions } = usePanel();
  const idle = useView((view) => view.status === "idle");
  const { id, kind, files, left, uncovered, undone } = row.checkpoint;
  const restored = kind === "restore";
  return (
    <div className="checkpoint">
      <span className="checkpoint-what">
        {restored ? t("Files put back: {0}", files) : <FilesChanged files={files} />}
      </span>
      {files > 0 && !restored ? (
        <Button onPress={() => actions.run("checkpoint/changes", { id, only: false })}>
          {t("View changes")}
        </Button>
      ) : null}
      {undone ? null : (
        <Button
          testId="restore"
          disabled={!idle}
          onPress={() => void actions.askAway("checkpoint/restore", { id, conversation: !restored })}
        >
          {restored ? t("Undo the restore") : t("Restore…")}
        </Button>
      )}
      {left ? <p className="detail">{t("Too large to be kept: {0}", left)}</p> : null}
      {uncovered ? <p className="detail">{uncoveredText(t, uncovered)}</p> : null}
    </div>
  );
}

/** Under a call that changed files. */
export function CallChanges({ row }: { row: CallRow }) {
  const { t, actions } = usePanel();
  const { checkpoint } = row;
  if (!checkpoint) return null;
  const { id, files, left, undone, unfinished } = checkpoint;
  return (
    <div className="checkpoint">
      <span className="checkpoint-what">
        {undone ? t("Taken back") : <FilesChanged files={files} />}
        {unfinished ? ` ${t("(interrupted)")}` : null}
      </span>
      {files > 0 ? (
        <Button onPress={() => actions.run("checkpoint/changes", { id, only: true })}>
          {t("View changes")}
        </Button>
      ) : null}
      {files > 0 && !undone ? (
        <Button testId="undo" onPress={() => actions.run("chat/undo", { callId: row.id })}>
          {t("Undo")}
        </Button>
      ) : null}
      {left ? <p className="detail">{t("Too large to be kept: {0}", left)}</p> : null}
    </div>
  );
}

function FilesChanged({ files }: { files: number }) {
  const { t } = usePanel();
  return files === 1 ? t("1 file changed") : t("{0} files changed", files);
}
