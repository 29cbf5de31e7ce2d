/** Actions on a session of another project, which cannot be continued here. */
import type { SessionSummary } from "../../src/shared/protocol.ts";
import { usePanel } from "../panel.ts";
import { Button } from "../toolkit/button.tsx";

interface Props {
  session: SessionSummary;
  /** Called when a copy of it is the active session. */
  opened(): void;
  close(): void;
}

export function HistoryOther({ session: { id, title, project }, opened, close }: Props) {
  const { t, actions } = usePanel();
  if (!project) return null;
  const open = (how: "read" | "folder" | "copy") =>
    actions.ask("history/open-other", { id, project: project.key, how });
  const copy = async () => {
    if (await open("copy")) opened();
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
