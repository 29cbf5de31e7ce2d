/** Actions on a session of another project, which cannot be continued here. */
import type { SessionSummary } from "../../src/shared/protocol.ts";
import { usePanel } from "../panel.ts";
import { Button } from "../toolkit/button.tsx";

interface Props {
  session: SessionSummary;
  /** A copy of it is now on screen. */
  opened(): void;
  /** The copy would stop the unfinished task, which `leave` does. */
  leaving(question: { to: "open"; leave(): void }): void;
  close(): void;
}

export function HistoryOther({ session: { id, title, project }, opened, leaving, close }: Props) {
  const { t, actions } = usePanel();
  if (!project) return null;
  const open = (how: "read" | "folder" | "copy", stop = false) =>
    actions.ask("history/open-other", { id, project: project.key, how, ...(stop && { stop }) });
  const copy = async (stop = false) => {
    const answer = await open("copy", stop);
    if (answer?.working) leaving({ to: "open", leave: () => void copy(true) });
    else if (answer) opened();
  };
  return (
    <div className="history-note" role="alert">
      <p>{t("“{0}” belongs to another project: {1}", title, project.folder ?? project.name)}</p>
      <div className="buttons">
        <Button testId="other-read" onPress={() => void open("read")}>
          {t("View")}
        </Button>
        {project.folder === undefined ? null : (
          <Button testId="other-folder" onPress={() => void open("folder")}>
            {t("Open project")}
          </Button>
        )}
        <Button testId="other-copy" onPress={() => void copy()}>
          {t("Continue here as a copy")}
        </Button>
        <Button onPress={close}>{t("Close")}</Button>
      </div>
    </div>
  );
}
