/** What can be done with a task of another project, which is not worked on here. */
import type { SessionSummary } from "../../src/shared/protocol.ts";
import { usePanel } from "../panel.ts";
import { Button } from "../toolkit/button.tsx";

interface Props {
  session: SessionSummary;
  /** A copy of it is on show. */
  copied(): void;
  close(): void;
}

export function HistoryOther({ session: { id, title, project }, copied, close }: Props) {
  const { t, actions } = usePanel();
  if (!project) return null;
  const open = (how: "read" | "folder" | "copy") =>
    actions.ask("history/open-other", { id, project: project.key, how });
  const copy = async () => {
    if (await open("copy")) copied();
  };
  return (
    <div className="history-note" role="alert">
      <p>{t("“{0}” belongs to another project: {1}", title, project.folder ?? project.name)}</p>
      <div className="buttons">
        <Button testId="other-read" onPress={() => void open("read")}>
          {t("Read it")}
        </Button>
        {project.folder === undefined ? null : (
          <Button testId="other-folder" onPress={() => void open("folder")}>
            {t("Open that project")}
          </Button>
        )}
        <Button testId="other-copy" onPress={() => void copy()}>
          {t("Go on here with a copy")}
        </Button>
        <Button onPress={close}>{t("Close")}</Button>
      </div>
    </div>
  );
}
