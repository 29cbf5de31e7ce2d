/** The list that opens over the composer: the models of all connections, problems with them, and the actions on them. */
import { type RefObject, useCallback, useRef, useState } from "react";
import type { Mode } from "../../src/shared/message.ts";
import { nameParts } from "../../src/shared/models/connection.ts";
import { type ChatView, rowsOf } from "../../src/shared/view/reducer.ts";
import { connectionProblemText, connectionWorksText } from "../../src/shared/words/connection-words.ts";
import type { Translate } from "../../src/shared/words/task-words.ts";
import { useDismiss } from "../foot/use-popover.ts";
import { useModel, usePanel, useView } from "../panel.ts";
import { Button } from "../toolkit/button.tsx";
import { ModelCheck } from "./check-report.tsx";
import { ConnectionProblemNote } from "./connection-problem.tsx";
import { ModelEffort } from "./effort-select.tsx";
import { ModelList } from "./model-list.tsx";
import { useCheck } from "./use-check.ts";
import { groupsOf, useModels } from "./use-models.ts";

function labelOf(t: Translate, purpose: Purpose, mode: Mode): string {
  if (purpose === "compare") return t("Compare with…");
  if (purpose === "ask") return t("Ask another model");
  return mode === "plan" ? t("Model for plan mode") : t("Model for act mode");
}

/** The user's last message, without the model that it was for. */
function lastQuestion(view: ChatView): string {
  const row = rowsOf(view).findLast(({ kind }) => kind === "user");
  return row?.kind === "user" ? row.text.replace(/^\s*\/ask\s+\S+\s+/, "") : "";
}

/**
 * Choose: the model that answers from now on. Ask: one that answers the last message once. Compare: one that answers beside the
 * model in use.
 */
type Purpose = "choose" | "ask" | "compare";

interface Props {
  purpose: Exclude<Purpose, "compare">;
  /** The button that opened it. */
  button: RefObject<HTMLButtonElement | null>;
  close(back: "button" | "composer" | "nowhere"): void;
}

export default function ModelPicker({ purpose: opened, button, close }: Props) {
  const [purpose, setPurpose] = useState<Purpose>(opened);
  const { t, actions, store, kept, composer } = usePanel();
  const mode = useView((view) => view.mode);
  const current = useModel();
  const models = useModels();
  const check = useCheck();
  const root = useRef<HTMLDivElement>(null);
  const { known, offered, refresh, setFavorite } = models;
  const dismiss = useCallback((toButton: boolean) => close(toButton ? "button" : "nowhere"), [close]);
  useDismiss(root, button, dismiss);

  const choose = (name: string) => {
    if (purpose !== "choose") {
      close("nowhere");
      const draft = kept.value.draft.trim();
      const text = draft === "" ? lastQuestion(store.state.view) : draft;
      const own = `@${current} `;
      // The user can change the message before it is sent.
      if (purpose === "ask") return composer.fill(`/ask ${name} ${text}`);
      return composer.fill(`${own}@${name} ${text.startsWith(own) ? text.slice(own.length) : text}`);
    }
    actions.run("models/choose", { name, mode });
    close("composer");
  };
  const goto = (screen: "connections") => {
    close("composer");
    store.show(screen);
  };
  const label = labelOf(t, purpose, mode);
  const connections = known?.connections ?? [];
  const missing = connections.filter(({ name }) => !offered.has(name));
  const isLoading = known === null || missing.length > 0;
  const failed = connections.flatMap(({ name }) => {
    const problem = offered.get(name)?.problem;
    return problem ? [{ name, problem }] : [];
  });
  const listless = connections
    .map(({ name }) => name)
    .filter((name) => offered.get(name)?.problem?.code === "no-list");
  const chosenPlan = useView((view) => view.chosen.plan);
  const { connection, model } = nameParts(current);
  return (
    <div
      ref={root}
      className="picker model-picker"
      role="dialog"
      aria-label={label}
      data-testid="model-menu"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        close("button");
      }}
    >
      <ModelList
        key={purpose}
        label={label}
        groups={groupsOf(models, { favorites: t("Favorites"), recents: t("Recent") })}
        current={current}
        favorites={new Set(known?.favorites)}
        typedAt={listless}
        typedElse={connections.map(({ name }) => name)}
        isLoading={isLoading}
        choose={choose}
        setFavorite={setFavorite}
        leave={() => close("button")}
      />
      <div className="model-notes">
        {isLoading ? (
          <p className="detail" role="status">
            {t("Loading models: {0}", missing.map(({ name }) => name).join(", "))}
          </p>
        ) : null}
        {failed.map(({ name, problem }) => (
          <ConnectionProblemNote
            key={name}
            of={name}
            problem={problem}
            fix={(fix) =>
              fix.type === "address"
                ? void actions
                    .ask("connections/set-address", { name, baseUrl: fix.baseUrl })
                    .then(() => refresh(name))
                : goto("connections")
            }
          >
            {problem.field === "key" ? (
              <Button
                onPress={() =>
                  void actions.askAway("connections/set-key", { name }).then(() => refresh(name))
                }
              >
                {t("Set API key")}
              </Button>
            ) : null}
            <Button onPress={() => refresh(name)}>{t("Try again")}</Button>
          </ConnectionProblemNote>
        ))}
        {known?.badEntries.map(({ entry, expected }) => (
          <div key={entry} className="connection-problem" data-testid="bad-entry">
            <p className="bad">
              {t("{0}, entry {1}", "nekode.connections", entry)}: {expected}
            </p>
            <div className="buttons">
              <Button onPress={() => actions.run("host/settings", { query: "nekode.connections" })}>
                {t("Open settings")}
              </Button>
            </div>
          </div>
        ))}
        <div role="status">
          {check.state === "works" ? (
            <>
              <p className="good">{connectionWorksText(t, connection, check.count)}</p>
              <ModelCheck key={current} name={current} checked={() => refresh(connection)} />
            </>
          ) : check.state === "fails" ? (
            <p className="bad">{connectionProblemText(t, check.problem)}</p>
          ) : null}
        </div>
      </div>
      {purpose !== "choose" ? null : (
        <div className="model-foot">
          <Button testId="add-connection" onPress={() => goto("connections")}>
            {t("Connections…")}
          </Button>
          {current === "" ? null : (
            <Button
              testId="check-model"
              disabled={check.state === "checking"}
              onPress={() => check.run(connection, model)}
            >
              {check.state === "checking" ? t("Checking…") : t("Check")}
            </Button>
          )}
          {current === "" ? null : (
            <Button testId="compare-model" onPress={() => setPurpose("compare")}>
              {t("Compare with…")}
            </Button>
          )}
          {mode === "plan" && chosenPlan ? (
            <Button onPress={() => choose("")}>{t("Same as in act mode")}</Button>
          ) : null}
          <ModelEffort />
        </div>
      )}
    </div>
  );
}
