/** The changes of a pending edit: the first lines are inline, and each change has a check box that includes or excludes it. */
import { useState } from "react";
import type { ShownHunks } from "../../src/shared/event.ts";
import { usePanel } from "../panel.ts";
import { Visible } from "../text/visible.tsx";
import { Checkbox } from "../toolkit/checkbox.tsx";

type Hunk = ShownHunks["shown"][number];

/**
 * Number of lines that are shown before the user asks for all. If only one more line exists, it is shown instead of a button.
 */
const FEW_LINES = 6;

interface Props {
  hunks: ShownHunks;
  excluded: ReadonlySet<number>;
  disabled: boolean;
  /** A single hunk can be excluded too, because the call changes more than its hunks. */
  isChoosable?: boolean;
  /** No hunk can be excluded. */
  isFixed?: boolean;
  onExcluded(excluded: ReadonlySet<number>): void;
}

export function DiffHunks({
  hunks,
  excluded,
  disabled,
  isChoosable = false,
  isFixed = false,
  onExcluded,
}: Props) {
  const { t } = usePanel();
  const [all, setAll] = useState(false);
  const total = hunks.shown.reduce((sum, { removed, added }) => sum + removed.length + added.length, 0);
  const choosable = !isFixed && (isChoosable || hunks.shown.length + hunks.more > 1);
  const isWhole = all || total <= FEW_LINES + 1;
  let room = isWhole ? Number.POSITIVE_INFINITY : FEW_LINES;
  const shown = hunks.shown.map((hunk) => {
    const before = room;
    room -= hunk.removed.length + hunk.added.length;
    return { hunk, room: Math.max(0, before) };
  });
  const toggle = (index: number) => {
    const next = new Set(excluded);
    if (!next.delete(index)) next.add(index);
    onExcluded(next);
  };
  return (
    <div className="hunks" data-testid="hunks">
      {shown.map(({ hunk, room: lines }, index) =>
        lines === 0 ? null : (
          <OneHunk
            // biome-ignore lint/suspicious/noArrayIndexKey: the changes of one proposal keep their order
            key={index}
            hunk={hunk}
            lines={lines}
            choosable={choosable}
            included={!excluded.has(index)}
            disabled={disabled}
            onToggle={() => toggle(index)}
          />
        ),
      )}
      {isWhole ? null : (
        <button
          type="button"
          className="link"
          data-testid="all-hunks"
          aria-expanded={false}
          onClick={() => setAll(true)}
        >
          {t("Show all {0} lines", total)}
        </button>
      )}
      {hunks.more > 0 && isWhole ? (
        <p className="detail">{t("{0} more changes are in the diff.", hunks.more)}</p>
      ) : null}
    </div>
  );
}

interface HunkProps {
  hunk: Hunk;
  /** Lines to show. */
  lines: number;
  /** It can be excluded on its own. */
  choosable: boolean;
  included: boolean;
  disabled: boolean;
  onToggle(): void;
}

function OneHunk({ hunk, lines, choosable, included, disabled, onToggle }: HunkProps) {
  const { t } = usePanel();
  const removed = hunk.removed.slice(0, lines);
  const added = hunk.added.slice(0, Math.max(0, lines - removed.length));
  const line = (kind: "removed" | "added", text: string, index: number) => (
    <div key={`${kind}${index}`} className={`hunk-line ${kind}`}>
      <span className="only-heard">{kind === "added" ? t("added:") : t("removed:")} </span>
      <span aria-hidden="true" className="hunk-sign">
        {kind === "added" ? "+" : "−"}
      </span>
      <code>
        <Visible text={text} />
      </code>
    </div>
  );
  return (
    <div className="hunk" data-testid="hunk" data-taken={included}>
      {choosable ? (
        <div className="hunk-take">
          <Checkbox
            testId="take-hunk"
            name={t("Line {0}", hunk.line)}
            on={included}
            disabled={disabled}
            change={onToggle}
          >
            {t("Line {0}", hunk.line)}
          </Checkbox>
        </div>
      ) : null}
      <div className="hunk-lines">
        {removed.map((text, index) => line("removed", text, index))}
        {added.map((text, index) => line("added", text, index))}
        {hunk.more === undefined || added.length < hunk.added.length ? null : (
          <p className="detail">{t("… {0} more lines", hunk.more)}</p>
        )}
      </div>
    </div>
  );
}
