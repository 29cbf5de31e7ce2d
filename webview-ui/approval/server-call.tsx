/** What exactly a call of an MCP server does: the tool and its arguments, or the resource. */
import type { ApprovalView } from "../../src/shared/event.ts";
import { useColored } from "../markdown/use-colored.ts";
import { usePanel } from "../panel.ts";
import { FactItem } from "../rows/calls/fact.tsx";
import { About } from "../servers/about.tsx";
import { Visible } from "../text/visible.tsx";

/** Characters of arguments that are colored; longer ones are shown plain. */
const MOST_COLORED = 50_000;

const withHidden = (text: string) => <Visible text={text} />;

interface Props {
  /** Distinguishes the folds of calls. */
  id: string;
  server: NonNullable<ApprovalView["server"]>;
}

export function ServerCallDetails({ id, server }: Props) {
  const { t } = usePanel();
  const { name, tool, title, description = "", arguments: args, resource } = server;
  return (
    <div className="server-call" data-testid="server-call">
      <dl className="facts">
        <FactItem name={t("Server")} value={name} />
        {tool === undefined ? null : (
          <FactItem
            name={t("Tool")}
            value={title === undefined || title === tool ? tool : `${tool} (${title})`}
          />
        )}
        {resource === undefined ? null : <FactItem name={t("Resource")} value={resource} />}
      </dl>
      <About text={description} id={`call ${id}`} />
      {args === undefined || args === "{}" ? null : <Arguments json={args} />}
    </div>
  );
}

function Arguments({ json }: { json: string }) {
  const { t } = usePanel();
  const colored = useColored("json", json, json.length <= MOST_COLORED, withHidden);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a <section> is a landmark
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <pre className="output" role="group" tabIndex={0} aria-label={t("Arguments")}>
      {colored ?? <Visible text={json} />}
    </pre>
  );
}
