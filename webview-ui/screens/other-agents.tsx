/**
 * The sessions of other agents on this machine, to select and import, and their settings, to take over. In a chunk of its own, reached
 * from the history.
 */
import { useEffect, useId, useState } from "react";
import {
  type FoundList,
  foundListSchema,
  type ImportReport,
  importReportSchema,
  type ListedForeign,
} from "../../src/shared/history/found-list.ts";
import { PRODUCT_NAMES } from "../../src/shared/history/session-origin.ts";
import {
  findProblemText,
  foundText,
  importedText,
  importFaultText,
  lossText,
} from "../../src/shared/words/import-words.ts";
import type { Translate } from "../../src/shared/words/task-words.ts";
import { usePanel } from "../panel.ts";
import { relativeDate } from "../text/dates.ts";
import { Visible } from "../text/visible.tsx";
import { Button } from "../toolkit/button.tsx";
import { Checkbox } from "../toolkit/checkbox.tsx";
import { Icon } from "../toolkit/icon.tsx";
import { OtherSettings } from "./other-settings.tsx";
import { ScreenFrame } from "./screen.tsx";

interface Props {
  /** Shows the history again. */
  back(): void;
}

/** Sessions that are imported with one request, between which the user sees the progress and can stop. */
const AT_ONCE = 5;
const NO_REPORT: ImportReport = { imported: 0, known: 0, failed: 0, losses: [] };

export default function OtherAgents({ back }: Props) {
  const { t, actions } = usePanel();
  const [found, setFound] = useState<FoundList | null>(null);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [running, setRunning] = useState<{ done: number; of: number; controller: AbortController } | null>(
    null,
  );
  const [result, setResult] = useState<{ report: ImportReport; isDryRun: boolean } | null>(null);
  useEffect(() => {
    let isGone = false;
    void actions.ask("history/foreign", {}).then((answer) => {
      if (isGone) return;
      const list = foundListSchema.safeParse(answer).data ?? [];
      setFound(list);
      setChosen(new Set(list.flatMap(({ sessions }) => sessions.map(({ key }) => key))));
    });
    return () => {
      isGone = true;
      void actions.ask("history/foreign", { keys: [] });
    };
  }, [actions]);

  const run = async (isDryRun: boolean) => {
    const keys = [...chosen];
    const controller = new AbortController();
    let report = NO_REPORT;
    setResult(null);
    for (let done = 0; done < keys.length && !controller.signal.aborted; done += AT_ONCE) {
      setRunning({ done, of: keys.length, controller });
      const answer = await actions.askAway("history/foreign", {
        keys: keys.slice(done, done + AT_ONCE),
        ...(isDryRun ? { dry: true } : {}),
      });
      const { data } = importReportSchema.safeParse(answer);
      // The failure is shown already.
      if (!data) break;
      report = sumOf(report, data);
    }
    setRunning(null);
    setResult({ report, isDryRun });
  };
  const choose = (keys: readonly string[], on: boolean) => {
    const next = new Set(chosen);
    for (const key of keys) {
      if (on) next.add(key);
      else next.delete(key);
    }
    setChosen(next);
  };
  const isEmpty = found?.every(({ sessions }) => sessions.length === 0) === true;
  return (
    <ScreenFrame title={t("From other agents")} aside={<Button onPress={back}>{t("History")}</Button>}>
      <div className="rules other-agents without-icons" data-testid="other-agents" aria-busy={found === null}>
        <p className="detail">
          {t(
            "Sessions of other agents on this computer. Imported sessions can be searched and read. A message continues one as a copy. Files of other products are only read.",
          )}
        </p>
        {found === null ? <p role="status">{t("Looking for sessions…")}</p> : null}
        {isEmpty ? <p role="status">{t("No sessions of other agents were found.")}</p> : null}
        {found?.map(({ product, sessions, problems }) => (
          <section key={product} aria-label={PRODUCT_NAMES[product]}>
            <h3 className="history-day">{`${PRODUCT_NAMES[product]}: ${sizeOf(t, sessions)}`}</h3>
            {[...byFolder(sessions)].map(([folder, own]) => (
              <Folder
                key={folder}
                name={folder === "" ? t("folder not known") : folder}
                sessions={own}
                chosen={chosen}
                disabled={running !== null}
                choose={choose}
              />
            ))}
            {problems.map((problem) => (
              <p key={`${problem.code} ${problem.path}`} className="detail">
                <Visible text={findProblemText(t, problem)} />
              </p>
            ))}
          </section>
        ))}
        {found === null || isEmpty ? null : (
          <div className="buttons">
            {running ? (
              <Button testId="import-stop" onPress={() => running.controller.abort()}>
                {t("Stop")}
              </Button>
            ) : (
              <>
                <Button
                  kind="primary"
                  testId="import-chosen"
                  disabled={chosen.size === 0}
                  onPress={() => void run(false)}
                >
                  {t("Import selected: {0}", chosen.size)}
                </Button>
                <Button testId="import-dry" disabled={chosen.size === 0} onPress={() => void run(true)}>
                  {t("Check without importing")}
                </Button>
              </>
            )}
          </div>
        )}
        <div role="status" data-testid="import-result">
          {running ? <p>{t("Session {0} of {1}", running.done + 1, running.of)}</p> : null}
          {result ? <p>{importedText(t, result.report, result.isDryRun)}</p> : null}
          {result && !result.isDryRun && result.report.imported > 0 ? (
            <p>
              {t(
                "Each session is in the history of the project it belongs to. All projects shows all of them.",
              )}
            </p>
          ) : null}
          {result?.report.losses.map(({ title, code, detail, unreadable }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two sessions may have the same title and the same fault
            <p key={index} className="detail">
              <Visible
                text={`${title || t("Untitled")}: ${code === "" ? lossText(t, unreadable) : importFaultText(t, code, detail)}`}
              />
            </p>
          ))}
        </div>
        <OtherSettings />
      </div>
    </ScreenFrame>
  );
}

interface FolderProps {
  name: string;
  sessions: readonly ListedForeign[];
  chosen: ReadonlySet<string>;
  disabled: boolean;
  choose(keys: readonly string[], on: boolean): void;
}

/** The sessions of a folder, with one checkbox for all of them and, unfolded, one for each. */
function Folder({ name, sessions, chosen, disabled, choose }: FolderProps) {
  const { t, language } = usePanel();
  const [isOpen, setOpen] = useState(false);
  const list = useId();
  const count = sessions.filter(({ key }) => chosen.has(key)).length;
  return (
    <div data-testid="foreign-folder">
      <Checkbox
        name={t("All sessions of {0}", name)}
        on={count === sessions.length}
        disabled={disabled}
        change={(on) =>
          choose(
            sessions.map(({ key }) => key),
            on,
          )
        }
      >
        <Visible text={name} />
      </Checkbox>
      <button
        type="button"
        className="fold-line"
        aria-expanded={isOpen}
        aria-controls={isOpen ? list : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="chevron" />
        {`${t("{0} of {1} selected", count, sessions.length)} · ${sizeOf(t, sessions)}`}
      </button>
      {isOpen ? (
        <ul id={list} className="history-children" aria-label={name}>
          {sessions.map(({ key, title, updatedAt }) => (
            <li key={key}>
              <Checkbox
                name={title || t("Untitled")}
                on={chosen.has(key)}
                disabled={disabled}
                change={(on) => choose([key], on)}
              >
                <Visible text={title || t("Untitled")} />
              </Checkbox>
              <span className="detail"> {relativeDate(t, language, updatedAt, Date.now())}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

function byFolder(sessions: readonly ListedForeign[]): Map<string, ListedForeign[]> {
  const folders = new Map<string, ListedForeign[]>();
  for (const session of sessions) {
    const { folder = "" } = session;
    folders.set(folder, [...(folders.get(folder) ?? []), session]);
  }
  return folders;
}

function sizeOf(t: Translate, sessions: readonly ListedForeign[]): string {
  return foundText(
    t,
    sessions.length,
    sessions.reduce((sum, { bytes }) => sum + bytes, 0),
  );
}

function sumOf(a: ImportReport, b: ImportReport): ImportReport {
  return {
    imported: a.imported + b.imported,
    known: a.known + b.known,
    failed: a.failed + b.failed,
    losses: [...a.losses, ...b.losses],
  };
}
