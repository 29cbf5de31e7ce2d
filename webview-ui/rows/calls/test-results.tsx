/** What a run of tests found: how many passed and failed, and the failures as links into the editor. */
import type { HitList } from "../../../src/shared/message.ts";
import { type ShownTests, shownTestsSchema } from "../../../src/shared/shown-tests.ts";
import type { CallRow } from "../../../src/shared/view/reducer.ts";
import type { Translate } from "../../../src/shared/words/task-words.ts";
import { usePanel } from "../../panel.ts";
import { Visible } from "../../text/visible.tsx";
import { Icon } from "../../toolkit/icon.tsx";
import { useFold } from "../folds.ts";
import { HitLines } from "./hits.tsx";

interface Props {
  row: CallRow;
  /** The command that the row shows. */
  command: string;
}

export function TestResults({ row, command }: Props) {
  const { t } = usePanel();
  const tests = shownTestsSchema.safeParse(row.shown?.tests).data;
  if (!tests) return null;
  const hits = row.shown?.hits;
  return (
    <>
      {"command" in tests && tests.command === command ? null : (
        <div className="checkpoint" data-testid="tests">
          <span>
            {"command" in tests ? (
              <>
                {t("Command line")}{" "}
                <code>
                  <Visible text={tests.command} />
                </code>
              </>
            ) : (
              <>
                <code>
                  <Visible text={tests.path} />
                </code>{" "}
                {countsText(t, tests)}
              </>
            )}
          </span>
        </div>
      )}
      {hits ? <Failures id={row.id} hits={hits} isKnown={!("command" in tests)} /> : null}
    </>
  );
}

/** `isKnown`: they are the failed tests. Otherwise, they are what the output of a failed command names. */
function Failures({ id, hits, isKnown }: { id: string; hits: HitList; isKnown: boolean }) {
  const { t } = usePanel();
  const [open, setOpen] = useFold(`${id} failures`, true);
  return (
    <div className="tests">
      <button
        type="button"
        className="link tests-line"
        data-testid="test-failures"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Icon name="chevron" />
        {isKnown ? t("Failed tests") : t("Places in the output")}
      </button>
      {open ? <HitLines hits={hits} /> : null}
    </div>
  );
}

/** Without what there is none of. */
function countsText(
  t: Translate,
  { passed, failed, skipped, notRun }: Exclude<ShownTests, { command: string }>,
) {
  const parts = [
    failed > 0 ? t("{0} failed", failed) : "",
    passed > 0 ? t("{0} passed", passed) : "",
    skipped > 0 ? t("{0} skipped", skipped) : "",
    notRun > 0 ? t("{0} without a result", notRun) : "",
  ].filter((part) => part !== "");
  return [parts.length > 0 ? parts.join(" · ") : t("No tests"), t("Run by the editor")].join(" · ");
}
