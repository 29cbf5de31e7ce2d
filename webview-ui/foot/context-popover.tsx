/** What the context window contains, what came from the prompt cache, and what the task has cost. */

import { type KeyboardEvent, useEffect, useState } from "react";
import { type MemoryNote, memoryNoteSchema } from "../../src/shared/memory-list.ts";
import type { WindowContents, WindowKind } from "../../src/shared/models/window-contents.ts";
import { type RuleFile, ruleFilesSchema } from "../../src/shared/rule-file.ts";
import type { Totals } from "../../src/shared/totals.ts";
import { noteFacts } from "../../src/shared/words/memory-words.ts";
import { prefixBreakText } from "../../src/shared/words/notice-words.ts";
import { isRuleIncluded } from "../../src/shared/words/rule-words.ts";
import type { Translate } from "../../src/shared/words/task-words.ts";
import * as z from "../../src/shared/zod.ts";
import { usePanel, useView } from "../panel.ts";
import { Breakable } from "../rows/calls/changes.tsx";
import { dollars, shortCount, usedText } from "../text/numbers.ts";
import { RuleStateText } from "../text/rule-state.tsx";
import { Visible } from "../text/visible.tsx";
import { Button } from "../toolkit/button.tsx";
import { type PopoverProps, usePopover } from "./use-popover.ts";

/** Files of one list. */
const MOST_RULES = 60;

const itself = (popover: HTMLElement) => popover;

export default function ContextPopover({ button, close }: PopoverProps) {
  const { t, actions, composer } = usePanel();
  const totals = useView((view) => view.totals);
  const isIdle = useView((view) => view.status === "idle");
  const isStored = useView((view) => view.session !== null);
  const root = usePopover({ button, close }, itself);
  const [contents, setContents] = useState<WindowContents | null>(null);
  const { requests } = totals;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again after each request of the model
  useEffect(() => {
    let isCurrent = true;
    void actions.ask("chat/window", {}).then((answer) => {
      if (answer && isCurrent) setContents(answer);
    });
    return () => {
      isCurrent = false;
    };
  }, [actions, requests]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    close(true);
  };
  const compact = () => {
    close(false);
    composer.focus();
    actions.run("chat/send", { text: "/compact" });
  };
  const used = requests === 0 ? t("Nothing has been sent yet.") : usedText(t, totals);
  const facts = cacheFacts(t, totals);
  const breaks = breakTexts(t, totals);
  return (
    <div
      ref={root}
      className="picker context-popover"
      role="dialog"
      tabIndex={-1}
      aria-label={t("Context window")}
      aria-busy={contents === null}
      data-testid="context-popover"
      onKeyDown={onKeyDown}
    >
      {used === "" ? null : <p>{used}</p>}
      {contents ? <Contents contents={contents} /> : null}
      {contents ? <Rules rules={ruleFilesSchema.parse(contents.rules ?? [])} /> : null}
      {contents ? <Notes notes={z.array(memoryNoteSchema).parse(contents.memory ?? [])} /> : null}
      {facts.length > 0 ? (
        <section>
          <h2>{t("Prompt cache")}</h2>
          {[...facts, ...breaks].map((text) => (
            <p key={text}>{text}</p>
          ))}
        </section>
      ) : null}
      {contents && contents.models.length > 0 ? <Models models={contents.models} totals={totals} /> : null}
      <div className="buttons">
        <Button testId="compact-now" disabled={!isIdle || !isStored} onPress={compact}>
          {t("Compact now")}
        </Button>
      </div>
    </div>
  );
}

function Contents({ contents: { tokens, size, parts, leftOut } }: { contents: WindowContents }) {
  const { t } = usePanel();
  const whole = Math.max(size, tokens, 1);
  return (
    <section>
      <h2>{t("In the next request, estimated")}</h2>
      <div className="context-parts" aria-hidden="true">
        {parts.map((part) => (
          <span key={part.kind} data-kind={part.kind} style={{ width: `${(100 * part.tokens) / whole}%` }} />
        ))}
      </div>
      <table className="context-table" aria-label={t("In the next request, estimated")}>
        <tbody>
          {parts.map(({ kind, tokens: count }) => (
            <tr key={kind} data-testid="window-part" data-kind={kind}>
              <th scope="row">
                <span className="context-swatch" data-kind={kind} aria-hidden="true" />
                {windowKindTitle(t, kind)}
              </th>
              <td>{shortCount(count)}</td>
              <td>{`${Math.round((100 * count) / whole)}%`}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {leftOutTexts(t, leftOut).map((text) => (
        <p key={text} className="detail" data-testid="window-left-out">
          {text}
        </p>
      ))}
    </section>
  );
}

function leftOutTexts(
  t: Translate,
  { messages, results, isSummarized }: WindowContents["leftOut"],
): string[] {
  const shortened =
    results === 1 ? t("Shortened: 1 earlier result") : t("Shortened: {0} earlier results", results);
  return [
    ...(messages > 0 ? [isSummarized ? summarizedText(t, messages) : leftOutText(t, messages)] : []),
    ...(results > 0 ? [shortened] : []),
  ];
}

function summarizedText(t: Translate, messages: number): string {
  return messages === 1
    ? t("Left out: the first message, which a summary replaces")
    : t("Left out: the first {0} messages, which a summary replaces", messages);
}

function leftOutText(t: Translate, messages: number): string {
  return messages === 1 ? t("Left out: the first message") : t("Left out: the first {0} messages", messages);
}

/** Which instruction files the model has, and which it does not have, each with the reason. */
function Rules({ rules }: { rules: readonly RuleFile[] }) {
  const { t } = usePanel();
  const included = rules.filter(isRuleIncluded);
  const others = rules.filter((rule) => !isRuleIncluded(rule));
  return (
    <>
      {included.length > 0 ? <RuleList title={t("Instruction files included")} rules={included} /> : null}
      {others.length > 0 ? <RuleList title={t("Instruction files not included")} rules={others} /> : null}
    </>
  );
}

function RuleList({ title, rules }: { title: string; rules: readonly RuleFile[] }) {
  const { t } = usePanel();
  return (
    <section>
      <h2>{title}</h2>
      <ul className="context-rules" aria-label={title}>
        {rules.slice(0, MOST_RULES).map((rule) => (
          <li key={rule.name} data-testid="context-rule" data-state={rule.state}>
            <span className="context-rule-name">
              <Breakable text={rule.name} />
            </span>
            {rule.tokens === undefined ? null : (
              <span className="detail">{t("{0} tokens", shortCount(rule.tokens))}</span>
            )}
            <RuleStateText rule={rule} />
          </li>
        ))}
      </ul>
      {rules.length > MOST_RULES ? (
        <p className="detail">{t("and {0} more", rules.length - MOST_RULES)}</p>
      ) : null}
    </section>
  );
}

/** What the task has read of the project's memory. */
function Notes({ notes }: { notes: readonly MemoryNote[] }) {
  const { t, store } = usePanel();
  if (notes.length === 0) return null;
  const title = t("Notes from memory included");
  return (
    <section>
      <h2>{title}</h2>
      <ul className="context-rules" aria-label={title}>
        {notes.map((note) => (
          <li key={note.id} data-testid="context-note">
            <Visible text={note.text} />{" "}
            <span className="detail note-facts">
              <Visible text={noteFacts(t, note).join(" · ")} />
            </span>
          </li>
        ))}
      </ul>
      <button type="button" className="link" onClick={() => store.show("memory")}>
        {t("Show memory")}
      </button>
    </section>
  );
}

function Models({ models, totals }: { models: WindowContents["models"]; totals: Totals }) {
  const { t } = usePanel();
  const known = models.reduce((sum, { cost = 0 }) => sum + cost, 0);
  const rest = (totals.cost ?? 0) - known;
  return (
    <section>
      <h2>{t("Cost")}</h2>
      <table className="context-table" aria-label={t("Cost by model")}>
        <tbody>
          {models.map(({ name, requests, inputTokens, outputTokens, cost }) => (
            <tr key={name} data-testid="model-cost">
              <th scope="row" title={name}>
                {name}
              </th>
              <td title={t("Requests: {0}", requests)}>
                {t("{0} tokens", shortCount(inputTokens + outputTokens))}
              </td>
              <td>{cost === undefined ? "–" : dollars(cost)}</td>
            </tr>
          ))}
          {rest > 0.000_05 ? (
            <tr>
              <th scope="row" colSpan={2}>
                {t("Summaries and compared answers")}
              </th>
              <td>{dollars(rest)}</td>
            </tr>
          ) : null}
        </tbody>
      </table>
    </section>
  );
}

/** Empty if nothing was sent yet. */
function cacheFacts(t: Translate, totals: Totals): string[] {
  const { requests, inputTokens, cachedTokens, cacheWriteTokens: written = 0, saved = 0 } = totals;
  if (requests === 0) return [];
  const share = inputTokens > 0 ? Math.round((100 * cachedTokens) / inputTokens) : 0;
  return [
    t(
      "{0} of {1} input tokens came from the cache ({2}%)",
      shortCount(cachedTokens),
      shortCount(inputTokens),
      share,
    ),
    ...(written > 0 ? [t("Written to the prompt cache: {0} tokens", written)] : []),
    ...(saved > 0 ? [t("Saved by the prompt cache: {0}", dollars(saved))] : []),
    ...(saved < 0 ? [t("Writing the prompt cache cost {0} more than it saved", dollars(-saved))] : []),
  ];
}

function breakTexts(t: Translate, { prefixBreaks = [] }: Totals): string[] {
  return prefixBreaks.map(({ cause, count, tokens, cost }) => {
    const figures = [count, prefixBreakText(t, cause), shortCount(tokens)] as const;
    const text =
      count === 1
        ? t("Prompt cache not used 1 time: {1}; about {2} tokens", ...figures)
        : t("Prompt cache not used {0} times: {1}; about {2} tokens", ...figures);
    return cost === undefined ? text : t("{0}, about {1}", text, dollars(cost));
  });
}

/** The kinds of content of a context window, in words. */
function windowKindTitle(t: Translate, kind: WindowKind): string {
  switch (kind) {
    case "system":
      return t("System prompt");
    case "tools":
      return t("Tools");
    case "servers":
      return t("MCP servers");
    case "rules":
      return t("Rules and instructions");
    case "files":
      return t("Files");
    case "results":
      return t("Tool results");
    case "conversation":
      return t("Conversation");
  }
}
