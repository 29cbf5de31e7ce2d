/** The panel before the first message: what the product is, and what to do next. */
import { useEffect, useState } from "react";
import { mentionText } from "../../src/shared/mentions.ts";
import type { SessionSummary } from "../../src/shared/protocol.ts";
import type { Example } from "../../src/shared/welcome-protocol.ts";
import type { Translate } from "../../src/shared/words/task-words.ts";
import { onDemand } from "../on-demand.tsx";
import { useModel, usePanel, usePanelState } from "../panel.ts";
import { CodeParts } from "../text/code-parts.tsx";
import { relativeDate } from "../text/dates.ts";
import { Button } from "../toolkit/button.tsx";
import { Scenes } from "./scenes-list.tsx";
import { useDemonstration } from "./use-demonstration.ts";

const SetUp = onDemand(() => import("../models/set-up.tsx"));
const MOST_RECENT = 3;
/** Sessions that the list of tasks may have of these. */
const MOST_LISTED = 9;

export function Welcome() {
  const { t, actions } = usePanel();
  const setup = usePanelState((state) => state.setup);
  const isReady = useModel() !== "";
  const isDemonstration = useDemonstration();
  if (!setup) return <div className="empty" />;
  return (
    <div className="empty">
      <h1>Nekode</h1>
      <p>
        {t(
          "A coding agent that reads your project, proposes changes and runs commands, each with your approval.",
        )}
      </p>
      {setup.hasWorkspace ? null : (
        <div className="empty-note">
          <p>{t("No folder is open. Open one to let the agent read and change files.")}</p>
          <Button testId="open-folder" onPress={() => actions.run("host/open-folder", {})}>
            {t("Open Folder")}
          </Button>
        </div>
      )}
      {setup.hasWorkspace && !setup.trusted ? (
        <p className="empty-note">{t("This folder is not trusted. Its rules and commands are ignored.")}</p>
      ) : null}
      {isReady ? (
        <>
          {isDemonstration ? <Scenes /> : <Examples />}
          <Recent />
          <Keys />
        </>
      ) : (
        <SetUp isFirst={true} done={() => {}} />
      )}
    </div>
  );
}

function Examples() {
  const { t, actions, composer, kept } = usePanel();
  const hasWorkspace = usePanelState((state) => state.setup?.hasWorkspace ?? false);
  const [examples, setExamples] = useState<readonly Example[]>(
    hasWorkspace ? kept.value.welcome.examples : [],
  );
  useEffect(() => {
    if (!hasWorkspace) return;
    let isCurrent = true;
    void actions.ask("welcome/examples", {}).then((answer) => {
      if (!isCurrent || !answer) return;
      setExamples(answer.examples);
      kept.update({ welcome: { ...kept.value.welcome, examples: answer.examples } });
    });
    return () => {
      isCurrent = false;
    };
  }, [actions, kept, hasWorkspace]);
  if (examples.length === 0) return null;
  return (
    <ul className="examples" aria-label={t("Examples")}>
      {examples.map((example) => {
        const text = exampleText(t, example);
        return (
          <li key={text}>
            <button type="button" className="example" onClick={() => composer.fill(text)}>
              <CodeParts text={text} />
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** The most recent sessions that the list of tasks does not show. Sessions of subtasks are listed only in the history, under their parents. */
function Recent() {
  const { t, language, actions, store, kept } = usePanel();
  const listed = usePanelState(({ sessions }) => sessions);
  const [found, setFound] = useState<readonly SessionSummary[]>(kept.value.welcome.recent);
  const recent = found.filter(({ id }) => listed.every((other) => other.id !== id)).slice(0, MOST_RECENT);
  useEffect(() => {
    let isCurrent = true;
    actions.findSessions({ sort: "newest", grouped: true, limit: MOST_RECENT + MOST_LISTED }).then(
      ({ sessions }) => {
        if (!isCurrent) return;
        setFound(sessions);
        kept.update({ welcome: { ...kept.value.welcome, recent: sessions } });
      },
      // The history reports the reason. The first page then only shows less.
      (error: unknown) => console.warn(`recent tasks: ${String(error)}`),
    );
    return () => {
      isCurrent = false;
    };
  }, [actions, kept]);
  if (recent.length === 0) return null;
  const open = async ({ id }: SessionSummary) => {
    const answer = await actions.ask("history/open", { id });
    // The history offers to take it over.
    if (answer?.elsewhere) store.show("history");
  };
  return (
    <section className="recent" aria-label={t("Recent sessions")}>
      <h2>{t("Recent sessions")}</h2>
      <ul className="examples">
        {recent.map((session) => (
          <li key={session.id}>
            <button
              type="button"
              className="recent-task"
              data-testid="recent-task"
              onClick={() => void open(session)}
            >
              <span className="recent-title">{session.title === "" ? t("Untitled") : session.title}</span>
              <span className="detail">{relativeDate(t, language, session.updatedAt, Date.now())}</span>
            </button>
          </li>
        ))}
      </ul>
      <button type="button" className="example" onClick={() => store.show("history")}>
        {t("All sessions")}
      </button>
    </section>
  );
}

/** Explains `@` and `/`. Selecting one types it. */
function Keys() {
  const { t, composer } = usePanel();
  const keys = [
    { key: "@", does: t("adds files, folders, problems, terminal output and commits") },
    { key: "/", does: t("runs commands and your project's workflows") },
  ] as const;
  return (
    <ul className="welcome-keys" aria-label={t("In the message")}>
      {keys.map(({ key, does }) => (
        <li key={key}>
          <button
            type="button"
            className="welcome-key"
            data-testid={key === "@" ? "welcome-mention" : "welcome-slash"}
            onClick={() => {
              composer.fill(key);
              composer.focus();
            }}
          >
            <kbd>{key}</kbd> <span>{does}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The text of an example, which the composer receives. */
function exampleText(t: Translate, { code, value }: Example): string {
  switch (code) {
    case "explain":
      return t("Explain how this project is structured");
    case "start":
      return t("Create a small web page with a clock");
    case "fix-lint":
      return t("Run `{0}` and fix what it reports", value);
    case "fix-tests":
      return t("Run `{0}` and fix what fails", value);
    case "write-tests":
      return t("Write tests for {0}", mentionText(value));
    case "write-readme":
      return t("Write a README for this project");
    case "find-bug":
      return t("Find and fix a bug in {0}", mentionText(value));
  }
}
