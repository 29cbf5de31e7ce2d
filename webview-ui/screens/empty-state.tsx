/** The panel before the first message: what the product is, and what to do next. */
import { lazy, Suspense } from "react";
import { usePanel, usePanelState } from "../panel.ts";
import { useModel } from "../use-model.ts";

const SetUp = lazy(() => import("../models/set-up.tsx"));

export function EmptyState() {
  const { t, composer } = usePanel();
  const setup = usePanelState((state) => state.setup);
  const isReady = useModel() !== "";
  if (!setup) return <div className="empty" />;
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
      {isReady ? (
        <ul className="examples" aria-label={t("Examples")}>
          {examples.map((example) => (
            <li key={example}>
              <button type="button" className="example" onClick={() => composer.fill(example)}>
                {example.replace(/@$/, "…")}
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <Suspense fallback={null}>
          <SetUp isFirst={true} done={() => {}} />
        </Suspense>
      )}
    </div>
  );
}
