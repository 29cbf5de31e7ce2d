/** The panel before the first message: what the product is, and what to do next. */
import { modelOf } from "../../src/shared/models/model.ts";
import { usePanel, usePanelState, useView } from "../panel.ts";
import { Button } from "../toolkit/button.tsx";

export function EmptyState() {
  const { t, actions, composer } = usePanel();
  const setup = usePanelState((state) => state.setup);
  const mode = useView((view) => view.mode);
  if (!setup) return <div className="empty" />;
  const ready = setup.baseUrl !== "" && setup.model !== "";
  const examples = [
    t("Explain how this project is structured"),
    t("Find and fix a bug in @"),
    t("Write tests for @"),
  ];
  return (
    <div className="empty">
      <h1>Nekode</h1>
      <p>
        {t(
          "A coding agent that reads your project, proposes changes and runs commands, each with your approval.",
        )}
      </p>
      {setup.hasWorkspace ? null : (
        <p className="empty-note">
          {t("No folder is open. Open one to let the agent read and change files.")}
        </p>
      )}
      {setup.hasWorkspace && !setup.trusted ? (
        <p className="empty-note">{t("This folder is not trusted. Its rules and commands are ignored.")}</p>
      ) : null}
      {ready ? (
        <>
          <p className="detail">{t("Model: {0}", modelOf(setup, mode))}</p>
          <ul className="examples" aria-label={t("Examples")}>
            {examples.map((example) => (
              <li key={example}>
                <button type="button" className="example" onClick={() => composer.fill(example)}>
                  {example.replace(/@$/, "…")}
                </button>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <>
          <p>
            {t("To get started, set an OpenAI-compatible endpoint and a model. Local endpoints need no key.")}
          </p>
          <div className="buttons">
            <Button kind="primary" onPress={() => actions.run("host/settings", { query: "nekode.provider" })}>
              {t("Set up the endpoint")}
            </Button>
            {setup.hasKey ? null : (
              <Button onPress={() => actions.run("host/set-key", {})}>{t("Set API key")}</Button>
            )}
          </div>
        </>
      )}
    </div>
  );
}
