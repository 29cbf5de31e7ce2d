/** Shown if a project has no sessions: asks whether its folder is the renamed folder of a project that has sessions. */
import { useEffect, useState } from "react";
import { MOST_SEARCHED, type MovedSession, movedProjects } from "../../src/shared/history/session-lists.ts";
import { usePanel } from "../panel.ts";
import { Visible } from "../text/visible.tsx";
import { Button } from "../toolkit/button.tsx";

interface Props {
  /** Called when the sessions of a moved project were copied to this one. */
  adopted(count: number): void;
}

export function MovedProjects({ adopted }: Props) {
  const { t, actions } = usePanel();
  const [moved, setMoved] = useState<readonly MovedSession[]>([]);
  useEffect(() => {
    let isGone = false;
    const query = { allProjects: true, grouped: true, limit: MOST_SEARCHED };
    void actions.ask("history/list", query).then((answer) => {
      if (answer && !isGone) setMoved(movedProjects(answer.sessions));
    });
    return () => {
      isGone = true;
    };
  }, [actions]);
  const adopt = async (project: string) => {
    const answer = await actions.ask("history/adopt", { project });
    if (answer) adopted(answer.imported);
  };
  return moved.map(({ title, project: { key, name } }) => (
    <div key={key} className="history-note" data-testid="moved-project">
      <p>
        <Visible
          text={t(
            "Was this folder renamed or moved? The folder of the project “{0}”, whose last session is “{1}”, no longer exists.",
            name,
            title,
          )}
        />
      </p>
      <Button testId="adopt-project" onPress={() => void adopt(key)}>
        {t("Copy its sessions here")}
      </Button>
    </div>
  ));
}
