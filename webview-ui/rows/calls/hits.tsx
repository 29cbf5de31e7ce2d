/** The row of a search or a listing: one line that opens to what was found, as links into the editor. */
import type { HitList } from "../../../src/shared/message.ts";
import { callSubject, callTitle } from "../../../src/shared/words/task-words.ts";
import { LinkTo } from "../../markdown/link.tsx";
import { usePanel } from "../../panel.ts";
import styles from "../../styles/hits.css?text";
import { Visible } from "../../text/visible.tsx";
import { adoptStyles } from "../../toolkit/adopt.ts";
import { Icon } from "../../toolkit/icon.tsx";
import { useFold } from "../folds.ts";
import { CallIcon, type CallProps, CallStateText } from "./call-head.tsx";

adoptStyles(styles);

interface Props extends CallProps {
  hits: HitList;
  /** How many were found, in words. */
  count: string;
}

type Hit = HitList["found"][number];

export default function HitsRow({ row, presentation, hits, count }: Props) {
  const { t } = usePanel();
  const [open, setOpen] = useFold(`${row.id} hits`, false);
  return (
    <>
      <div className="call-head command-head" data-state={row.state}>
        <button
          type="button"
          className="command-line hits-line opens"
          data-testid="hits-line"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          <CallIcon presentation={presentation} />
          <span className="call-title">{callTitle(t, presentation, row)}</span>{" "}
          <code>
            <Visible text={callSubject(presentation, row.subject)} />
          </code>{" "}
          <span className="detail">{count}</span>
          <Icon name="chevron" />
        </button>
        <CallStateText row={row} />
      </div>
      {open ? <HitLines hits={hits} /> : null}
    </>
  );
}

export function HitLines({ hits }: Pick<Props, "hits">) {
  const { t } = usePanel();
  return (
    <ul className="hits" data-testid="hits">
      {byFile(hits.found).map((group) => (
        <File key={group.path} {...group} />
      ))}
      {hits.more > 0 ? <li className="detail">{t("and {0} more", hits.more)}</li> : null}
    </ul>
  );
}

function File({ path, lines }: { path: string; lines: readonly Hit[] }) {
  // The name of a file is more useful than its folders, so it is truncated last.
  const name = path.lastIndexOf("/", path.length - 2) + 1;
  return (
    <li>
      <LinkTo target={{ kind: "file", path }}>
        <span className="hit-folder">
          <Visible text={path.slice(0, name)} />
        </span>
        <span className="hit-name">
          <Visible text={path.slice(name)} />
        </span>
      </LinkTo>
      {lines.length === 0 ? null : (
        <ul>
          {lines.map(({ line, text = "" }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two definitions may begin in one line, and the list does not change
            <li key={index} className="hit">
              <LinkTo target={line === undefined ? { kind: "file", path } : { kind: "file", path, line }}>
                <span className="hit-number">{line}:</span> <Visible text={text} />
              </LinkTo>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

/** The hits of each file, in the order in which the files were found; a file that is a hit itself has none. */
function byFile(hits: readonly Hit[]): { path: string; lines: Hit[] }[] {
  const files = new Map<string, Hit[]>();
  for (const hit of hits) {
    const lines = files.get(hit.path) ?? [];
    if (hit.line !== undefined) lines.push(hit);
    files.set(hit.path, lines);
  }
  return [...files].map(([path, lines]) => ({ path, lines }));
}
