import { usePanel } from "../panel.ts";
import { Button } from "../toolkit/button.tsx";
import { type DemoScene, demoScenes } from "./scenes.ts";

/** Says that the answers are a demonstration, and plays a scene when the user selects it. */
export function Scenes() {
  const { t, actions, store } = usePanel();
  const play = async ({ text, mode }: DemoScene) => {
    if (!(await actions.ask("chat/mode", { mode }))) return;
    // A failure is reported by the action.
    await actions.send(text).catch(() => {});
  };
  return (
    <section className="scenes" aria-label={t("Demonstration")}>
      <p className="empty-note">
        {t(
          "The answers are a demonstration by a scripted model. What it reads, changes and runs in this folder is real.",
        )}
      </p>
      <ul className="examples" aria-label={t("Scenes")}>
        {demoScenes(t).map((scene) => (
          <li key={scene.id}>
            <button
              type="button"
              className="recent-task"
              data-testid={`scene-${scene.id}`}
              onClick={() => void play(scene)}
            >
              <span className="scene-title">{scene.title}</span>
              <span className="detail">{scene.text.replaceAll("`", "")}</span>
            </button>
          </li>
        ))}
      </ul>
      <Button kind="primary" testId="connect-model" onPress={() => store.show("connections")}>
        {t("Connect a model")}
      </Button>
    </section>
  );
}
