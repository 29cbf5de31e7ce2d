import { useState } from "react";
import { taskHereText } from "../../src/shared/words/worktree-words.ts";
import { usePanel, usePanelState } from "../panel.ts";
import { Visible } from "../text/visible.tsx";
import { Button, IconButton } from "../toolkit/button.tsx";
import { Icon } from "../toolkit/icon.tsx";

/**
 * A note above the composer that the folder is the worktree of another project's task, with a button that opens that project.
 */
export default function TaskHereNote() {
  const { t, actions } = usePanel();
  const task = usePanelState((state) => state.setup?.taskHere);
  const [dismissed, setDismissed] = useState("");
  if (task === undefined) return null;
  const { id, project } = task;
  // A changed note is shown again even if the user dismissed the previous one.
  const text = taskHereText(t, task);
  if (text === dismissed) return null;
  const open = () => actions.run("history/open-other", { id, project: project.key, how: "folder" });
  return (
    <div className="task-here-note" data-testid="task-here-note">
      <p>
        <Visible text={text} />
      </p>
      <IconButton label={t("Dismiss")} onPress={() => setDismissed(text)}>
        <Icon name="close" />
      </IconButton>
      <Button testId="open-project-folder" onPress={open}>
        {t("Open Project Folder")}
      </Button>
    </div>
  );
}
