import { usePanel, useView } from "../panel.ts";
import { Button } from "../toolkit/button.tsx";
import { useDemonstration } from "./use-demonstration.ts";

/** Says below a conversation that the scripted model answered, and offers to connect a real one. */
export default function DemonstrationNote() {
  const { t, store, actions, composer } = usePanel();
  const isDemonstration = useDemonstration();
  const isIdle = useView((view) => view.status === "idle");
  const isEmpty = useView((view) => view.settled.length + view.live.length === 0);
  if (!isDemonstration || !isIdle || isEmpty) return null;
  const more = async () => {
    if (await actions.ask("chat/new", {})) composer.focus();
  };
  return (
    <div className="demonstration-note" data-testid="demonstration-note">
      <p>{t("Answers are a demonstration.")}</p>
      <div className="buttons">
        <Button kind="primary" testId="connect-model" onPress={() => store.show("connections")}>
          {t("Connect a model")}
        </Button>
        <Button testId="more-scenes" onPress={() => void more()}>
          {t("More scenes")}
        </Button>
      </div>
    </div>
  );
}
