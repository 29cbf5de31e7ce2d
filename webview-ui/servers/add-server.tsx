/** Adds servers to the user's configuration: a command, an address, or the JSON of a README. */
import { useState } from "react";
import type { AddedServers } from "../../src/shared/server-protocol.ts";
import { reasonWords } from "../../src/shared/words/reasons/reasons.ts";
import { onDemand } from "../on-demand.tsx";
import { usePanel } from "../panel.ts";
import { Visible } from "../text/visible.tsx";
import { Button } from "../toolkit/button.tsx";
import { TextArea } from "../toolkit/text-area.tsx";
import { TextField } from "../toolkit/text-field.tsx";

interface Props {
  userFile: string;
  /** `names`: of the new entries. */
  added(names: readonly string[]): Promise<void>;
  close(): void;
}

const Gallery = onDemand(() => import("./gallery.tsx"));

const EXAMPLES = [
  "npx -y @modelcontextprotocol/server-memory",
  "https://example.com/mcp",
  '{ "mcpServers": { … } }',
].join("\n");

export function AddServer({ userFile, added, close }: Props) {
  const { t, actions } = usePanel();
  const [text, setText] = useState("");
  const [name, setName] = useState("");
  const [busy, setBusy] = useState(false);
  const [browses, setBrowses] = useState(false);
  const [answer, setAnswer] = useState<AddedServers | null>(null);
  const about = t("Added to {0}. You can set variables before a command: NAME=value npx …", userFile);

  const add = async (replace: boolean) => {
    setBusy(true);
    const result = await actions.ask("servers/add", { text, name, replace });
    setBusy(false);
    setAnswer(result ?? null);
    if (!result) return;
    await added(result.added);
    if (result.problems.length + result.existing.length === 0) close();
  };
  const existing = answer?.existing ?? [];
  return (
    <section className="server-form" aria-label={t("Add server")} data-testid="add-server-form">
      {browses ? (
        <Gallery
          choose={(server) => {
            setText(server.text);
            setBrowses(false);
          }}
        />
      ) : (
        <div className="checkpoint">
          <Button testId="browse-servers" onPress={() => setBrowses(true)}>
            {t("Choose from a list…")}
          </Button>
        </div>
      )}
      <TextArea
        testId="add-server-text"
        label={t("Command, address, or JSON from the server's documentation")}
        value={text}
        placeholder={EXAMPLES}
        description={about}
        autoFocus={true}
        change={setText}
      />
      <p className="detail">{about}</p>
      <TextField testId="add-server-name" label={t("Name (optional)")} value={name} change={setName} />
      <div role="alert">
        {answer && answer.problems.length > 0 ? (
          <ul className="server-problem-list">
            {answer.problems.map(({ server, reason }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: problems have no identity of their own
              <li key={index} className="bad">
                <Visible text={`${server === undefined ? "" : `${server}: `}${reasonWords(t, reason)}`} />
              </li>
            ))}
          </ul>
        ) : null}
        {existing.length > 0 ? (
          <p>{t("Already in your configuration and left unchanged: {0}", existing.join(", "))}</p>
        ) : null}
      </div>
      <div className="buttons">
        <Button
          kind="primary"
          testId="add-server-add"
          disabled={busy || text.trim() === ""}
          onPress={() => void add(false)}
        >
          {t("Add")}
        </Button>
        {existing.length > 0 ? (
          <Button testId="add-server-replace" disabled={busy} onPress={() => void add(true)}>
            {t("Replace")}
          </Button>
        ) : null}
        <Button onPress={close}>{t("Cancel")}</Button>
      </div>
    </section>
  );
}
