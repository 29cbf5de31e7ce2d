/** The settings of other agents as proposals, each of which can be taken over. Part of the page with their sessions. */
import { useCallback, useEffect, useId, useRef, useState } from "react";
import {
  type LeftSetting,
  SETTING_PRODUCT_NAMES,
  type SettingList,
  type SettingProposal,
  settingListSchema,
} from "../../src/shared/setting-proposals.ts";
import { findProblemText } from "../../src/shared/words/import-words.ts";
import {
  leftSettingText,
  settingNoteText,
  settingOutcomeText,
  settingTitle,
} from "../../src/shared/words/setting-words.ts";
import { usePanel } from "../panel.ts";
import { Visible } from "../text/visible.tsx";
import { Button } from "../toolkit/button.tsx";
import { Icon } from "../toolkit/icon.tsx";

type Request =
  | { action: "list" }
  | { action: "take"; key: string; hash: string }
  | { action: "undo"; key: string };

export function OtherSettings() {
  const { t, actions } = usePanel();
  const [list, setList] = useState<SettingList | null>(null);
  const [busy, setBusy] = useState(false);
  const [skipped, setSkipped] = useState<ReadonlySet<string>>(new Set());
  const heading = useRef<HTMLHeadingElement>(null);
  const ask = useCallback(
    async (settings: Request) => {
      setBusy(true);
      const { data } = settingListSchema.safeParse(await actions.ask("history/foreign", { settings }));
      setBusy(false);
      // A failure is shown already.
      if (data) setList(data);
    },
    [actions],
  );
  useEffect(() => void ask({ action: "list" }), [ask]);
  /** The pressed button disappears. */
  const leave = () => heading.current?.focus();
  const proposals = list?.proposals.filter(({ key }) => !skipped.has(key)) ?? [];
  return (
    <section
      className="other-settings"
      aria-label={t("Settings")}
      data-testid="foreign-settings"
      aria-busy={list === null || busy}
    >
      <h3 className="history-day" ref={heading} tabIndex={-1}>
        {t("Settings")}
      </h3>
      <p className="detail">
        {t(
          "What you set in other agents, and what it would change in Nekode. Nothing changes until you take it over. Keys are not copied.",
        )}
      </p>
      <p role="status" data-testid="setting-outcome">
        {list?.outcome === undefined ? "" : settingOutcomeText(t, list.outcome)}
      </p>
      {list !== null && proposals.length === 0 ? (
        <p className="detail">{t("There is nothing to take over.")}</p>
      ) : null}
      <div className="server-items">
        {proposals.map((proposal) => (
          <Proposal
            key={proposal.key}
            proposal={proposal}
            busy={busy}
            take={() => {
              leave();
              void ask({ action: "take", key: proposal.key, hash: proposal.hash });
            }}
            undo={() => {
              leave();
              void ask({ action: "undo", key: proposal.key });
            }}
            skip={() => {
              leave();
              setSkipped(new Set([...skipped, proposal.key]));
            }}
          />
        ))}
      </div>
      {skipped.size === 0 ? null : (
        <Button
          testId="show-skipped"
          onPress={() => {
            leave();
            setSkipped(new Set());
          }}
        >
          {t("Show skipped: {0}", skipped.size)}
        </Button>
      )}
      <LeftSettings left={list?.left ?? []} />
      {list?.problems.map((problem) => (
        <p key={`${problem.code} ${problem.path}`} className="detail">
          <Visible text={findProblemText(t, problem)} />
        </p>
      ))}
    </section>
  );
}

interface ProposalProps {
  proposal: SettingProposal;
  busy: boolean;
  take(): void;
  undo(): void;
  skip(): void;
}

function Proposal({ proposal, busy, take, undo, skip }: ProposalProps) {
  const { t } = usePanel();
  const { product, file, raises, notes, state } = proposal;
  const title = settingTitle(t, proposal);
  return (
    <article className="server-item" aria-label={title} data-testid="setting-proposal" data-state={state}>
      <h4>
        {raises ? (
          <>
            <Icon name="warning" />{" "}
          </>
        ) : null}
        <Visible text={title} />
      </h4>
      <p className="detail server-about">
        <Visible text={`${SETTING_PRODUCT_NAMES[product]} · ${file}`} />
      </p>
      <Change proposal={proposal} />
      {notes.map((note) => (
        <p key={note.code} className="detail">
          <Visible text={settingNoteText(t, note)} />
        </p>
      ))}
      <div className="buttons">
        {state === "taken" ? (
          <Button testId="undo-setting" disabled={busy} label={t("Undo: {0}", title)} onPress={undo}>
            {t("Undo")}
          </Button>
        ) : (
          <>
            <Button testId="take-setting" disabled={busy} label={t("Take over: {0}", title)} onPress={take}>
              {t("Take over")}
            </Button>
            <Button testId="skip-setting" disabled={busy} label={t("Skip: {0}", title)} onPress={skip}>
              {t("Skip")}
            </Button>
          </>
        )}
      </div>
    </article>
  );
}

/** What is there now and what would be, folded. */
function Change({ proposal: { place, before, after } }: Pick<ProposalProps, "proposal">) {
  const { t } = usePanel();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <button
        type="button"
        className="fold-line"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="chevron" />
        <Visible text={t("What changes in {0}", place)} />
      </button>
      {isOpen ? (
        <dl id={id} data-testid="setting-change">
          <dt>{t("Now")}</dt>
          <dd>{before === "" ? t("nothing") : <Text text={before} />}</dd>
          <dt>{t("Afterwards")}</dt>
          <dd>
            <Text text={after} />
          </dd>
        </dl>
      ) : null}
    </>
  );
}

function Text({ text }: { text: string }) {
  return (
    <code className="server-command">
      <Visible text={text} />
    </code>
  );
}

/** What cannot be taken over, with the reasons, folded. */
function LeftSettings({ left }: { left: readonly LeftSetting[] }) {
  const { t } = usePanel();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  if (left.length === 0) return null;
  return (
    <>
      <button
        type="button"
        className="fold-line"
        data-testid="left-settings"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="chevron" />
        {t("Not taken over: {0}", left.length)}
      </button>
      {isOpen ? (
        <section id={id} className="history-children" aria-label={t("Settings that are not taken over")}>
          {left.map((setting, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same rule may be in a file twice
            <p key={index} data-testid="left-setting">
              <Visible text={`${SETTING_PRODUCT_NAMES[setting.product]}: ${setting.name}`} />
              <br />
              <span className="detail">
                <Visible text={leftSettingText(t, setting.why)} /> <Visible text={setting.file} />
              </span>
            </p>
          ))}
        </section>
      ) : null}
    </>
  );
}
