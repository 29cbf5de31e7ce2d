/** A strip after the answer of a turn: the files that the turn changed, and the actions on them. */
import { useEffect, useState } from "react";
import type { CheckpointView } from "../../src/shared/event.ts";
import type { TurnFile } from "../../src/shared/view/turn-protocol.ts";
import { uncoveredText } from "../../src/shared/words/checkpoint-words.ts";
import { LinkTo } from "../markdown/link.tsx";
import { usePanel, useView } from "../panel.ts";
import { LineCounts } from "../rows/calls/changes.tsx";
import { Visible } from "../text/visible.tsx";
import { ActionMenu } from "../toolkit/action-menu.tsx";
import { Button, IconButton } from "../toolkit/button.tsx";
import { Icon } from "../toolkit/icon.tsx";
import type { Turn } from "./layout.ts";

/** Number of files that are shown before the user asks for all. */
const FILES_AT_FIRST = 5;

interface TurnStripProps {
  turn: Turn;
  /** The turn is the last one. */
  isLast: boolean;
}

export default function TurnStrip({ turn, isLast }: TurnStripProps) {
  return turn.changed ? <Strip changed={turn.changed} isLast={isLast} /> : null;
}

function Strip({ changed, isLast }: { changed: CheckpointView; isLast: boolean }) {
  const { t, actions } = usePanel();
  const { id, left, uncovered, isKept = false } = changed;
  const [pressed, setPressed] = useState<boolean | undefined>(undefined);
  const open = pressed ?? (isLast && !isKept);
  const turnFiles = useTurnFiles(changed, open);
  const idle = useView((view) => view.status === "idle");
  // The line of a single file says the same.
  const totals = turnFiles && turnFiles.files.length > 1 ? totalOf(turnFiles.files) : undefined;
  const keep = () => {
    setPressed(undefined);
    actions.run("turn/keep", { id });
  };
  return (
    <section
      className="row strip-row"
      data-testid="row"
      data-kind="checkpoint"
      data-row={`checkpoint:${id}`}
      aria-label={t("Changes in this turn")}
    >
      <div className="strip" data-testid="review-strip">
        <div className="strip-head">
          <button
            type="button"
            className="strip-title opens"
            aria-expanded={open}
            onClick={() => setPressed(!open)}
          >
            <span>{filesChanged(t, changed)}</span>
            <Icon name="chevron" />
            <LineCounts added={totals?.added} removed={totals?.removed} />
          </button>
          {open ? null : (
            <IconButton label={t("Review changes")} onPress={() => actions.run("turn/review", { id })}>
              <Icon name="diff" />
            </IconButton>
          )}
          <ActionMenu
            className="plain-icon"
            testId="turn-more"
            label={t("More actions")}
            actions={[
              {
                id: "restore",
                label: t("Restore to before this message…"),
                disabled: !idle,
                run: () => void actions.askAway("checkpoint/restore", { id, conversation: true }),
              },
            ]}
          />
        </div>
        {open ? (
          <>
            <Files
              id={id}
              files={turnFiles?.files ?? []}
              more={turnFiles?.more ?? 0}
              expected={changed.files}
            />
            {left ? <p className="detail">{t("Too large to back up: {0}", left)}</p> : null}
            {uncovered ? <p className="detail">{uncoveredText(t, uncovered)}</p> : null}
            <div className="buttons strip-buttons">
              <Button kind="primary" testId="keep" onPress={keep}>
                {t("Keep")}
              </Button>
              <Button
                testId="undo-turn"
                disabled={!idle}
                onPress={() => void actions.askAway("turn/undo", { id })}
              >
                {t("Undo")}
              </Button>
              <Button testId="review" onPress={() => actions.run("turn/review", { id })}>
                {t("Review")}
              </Button>
              <Button
                testId="commit-message"
                hint={t("Write a commit message")}
                onPress={() => actions.run("turn/commit-message", { id })}
              >
                {t("Commit…")}
              </Button>
            </div>
          </>
        ) : null}
      </div>
    </section>
  );
}

interface TurnFiles {
  files: readonly TurnFile[];
  more: number;
}

/** The changed files, which are requested again whenever the checkpoint changes. */
function useTurnFiles(changed: CheckpointView, wanted: boolean): TurnFiles | undefined {
  const { actions } = usePanel();
  const [turnFiles, setTurnFiles] = useState<TurnFiles>();
  useEffect(() => {
    if (!wanted) return;
    let gone = false;
    void actions.ask("turn/files", { id: changed.id }).then((result) => {
      if (!gone && result) setTurnFiles(result);
    });
    return () => {
      gone = true;
    };
  }, [actions, changed, wanted]);
  return turnFiles;
}

/** `expected`: the number of files, so that the layout does not move when they load. */
function Files({ id, files, more, expected }: { id: string; expected: number } & TurnFiles) {
  const { t } = usePanel();
  const [all, setAll] = useState(false);
  const shown = all ? files : files.slice(0, FILES_AT_FIRST);
  const hidden = files.length - shown.length;
  return (
    <>
      <ul
        className="strip-files"
        aria-busy={files.length === 0}
        style={files.length === 0 ? { minHeight: 5 + Math.min(expected, FILES_AT_FIRST) * 22 } : undefined}
      >
        {shown.map((file) => (
          <FileLine key={file.path} id={id} file={file} />
        ))}
      </ul>
      {hidden > 0 ? (
        <button type="button" className="link strip-more" onClick={() => setAll(true)}>
          {t("Show {0} more files", hidden)}
        </button>
      ) : null}
      {more > 0 ? <p className="detail">{t("and {0} more", more)}</p> : null}
    </>
  );
}

function FileLine({ id, file }: { id: string; file: TurnFile }) {
  const { t, actions } = usePanel();
  const { path, kind, added, removed, undone } = file;
  const start = path.lastIndexOf("/") + 1;
  const name = path.slice(start);
  const shown = (
    <>
      <span className="strip-name">
        <Visible text={name} />
      </span>{" "}
      <span className="strip-folder">
        <Visible text={path.slice(0, start)} />
      </span>
    </>
  );
  return (
    <li className="strip-file" data-undone={undone}>
      <span className="strip-path" title={path}>
        {kind === "delete" ? shown : <LinkTo target={{ kind: "file", path }}>{shown}</LinkTo>}
      </span>
      {kind === "update" ? null : (
        <span className="detail strip-kind">{kind === "add" ? t("new") : t("deleted")}</span>
      )}
      {undone ? (
        <span className="detail">{t("Undone")}</span>
      ) : (
        <LineCounts added={added} removed={removed} />
      )}
      <span className="strip-actions">
        <IconButton
          label={t("Review changes in {0}", name)}
          onPress={() => actions.run("turn/review", { id, path })}
        >
          <Icon name="diff" />
        </IconButton>
        <IconButton
          label={t("Undo changes in {0}", name)}
          disabled={undone}
          onPress={() => void actions.askAway("turn/undo", { id, path })}
        >
          <Icon name="undo" />
        </IconButton>
      </span>
    </li>
  );
}

function filesChanged(t: ReturnType<typeof usePanel>["t"], { files, folders }: CheckpointView): string {
  if (folders) return files === 1 ? t("1 folder changed") : t("{0} folders changed", files);
  return files === 1 ? t("1 file changed") : t("{0} files changed", files);
}

function totalOf(files: readonly TurnFile[]): { added: number; removed: number } {
  return files
    .filter(({ undone }) => !undone)
    .reduce(
      (sum, { added = 0, removed = 0 }) => ({ added: sum.added + added, removed: sum.removed + removed }),
      { added: 0, removed: 0 },
    );
}
