/** The problems in the configuration files, each with its location. */
import type { ServerList } from "../../src/shared/server-list.ts";
import { reasonWords } from "../../src/shared/words/reasons/reasons.ts";
import { usePanel } from "../panel.ts";
import { Breakable } from "../rows/calls/changes.tsx";
import { Visible } from "../text/visible.tsx";
import { Icon } from "../toolkit/icon.tsx";

export function ConfigProblems({
  problems,
  open,
}: Pick<ServerList, "problems"> & { open?(file: string, line: number): void }) {
  const { t } = usePanel();
  if (problems.length === 0) return null;
  return (
    <section className="server-problems" aria-label={t("Problems in the configuration")}>
      <h3 className="server-warning">
        <Icon name="warning" /> {t("Problems in the configuration")}
      </h3>
      <ul>
        {problems.map(({ file, line, server, reason }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: problems have no identity of their own
          <li key={index} data-testid="server-problem">
            <span>
              {server === undefined ? null : (
                <>
                  <strong>
                    <Visible text={server} />
                  </strong>
                  {": "}
                </>
              )}
              <Visible text={reasonWords(t, reason)} />
            </span>
            <FileLink file={file} line={line} {...(open ? { open: () => open(file, line) } : {})} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A location in a configuration file. Selecting it opens the file there. `open`: how, if it is not one of servers. */
export function FileLink({ file, line, open }: { file: string; line: number; open?(): void }) {
  const { t, actions } = usePanel();
  const place = `${file}:${line}`;
  return (
    <button
      type="button"
      className="rule-name server-file"
      title={t("Open {0}", place)}
      onClick={open ?? (() => actions.run("servers/open", { file, line }))}
    >
      <Breakable text={place} />
    </button>
  );
}
