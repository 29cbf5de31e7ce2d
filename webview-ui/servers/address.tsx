/** An address that a server asks the user to visit. It opens only when the user selects it. */
import { useState } from "react";
import type { FormAnswer } from "../../src/shared/server-form.ts";
import { usePanel } from "../panel.ts";
import { Visible } from "../text/visible.tsx";
import { Button } from "../toolkit/button.tsx";

interface Props {
  url: string;
  disabled: boolean;
  answer(reply: FormAnswer): Promise<void>;
}

export function Address({ url, disabled, answer }: Props) {
  const { t, actions } = usePanel();
  const [opened, setOpened] = useState(false);
  const parsed = webAddress(url);
  const open = () => {
    if (!parsed) return;
    setOpened(true);
    actions.run("host/open-link", { url: parsed.href });
  };
  return (
    <>
      <p className="server-address" data-testid="form-address">
        {parsed ? <Emphasized url={parsed} /> : <Visible text={url} />}
      </p>
      {parsed ? null : <p className="bad">{t("This is not a web address, so it cannot be opened.")}</p>}
      <div className="buttons">
        {parsed ? (
          <>
            <Button
              kind={opened ? "secondary" : "primary"}
              testId="form-open"
              disabled={disabled}
              onPress={open}
            >
              {t("Open in browser")}
            </Button>
            <Button
              kind={opened ? "primary" : "secondary"}
              testId="form-done"
              disabled={disabled || !opened}
              onPress={() => void answer({ action: "accept", values: {} })}
            >
              {t("Done")}
            </Button>
          </>
        ) : null}
        <Refusals disabled={disabled} answer={answer} />
      </div>
    </>
  );
}

/** Host names of other scripts are in Punycode, and invisible characters are encoded. */
function webAddress(url: string): URL | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  return parsed?.protocol === "https:" || parsed?.protocol === "http:" ? parsed : undefined;
}

function Emphasized({ url: { href, host } }: { url: URL }) {
  // After the credentials, which can look like a host.
  const start = href.indexOf(host, href.slice(0, href.indexOf("/", 8)).lastIndexOf("@") + 1);
  return (
    <>
      <Visible text={href.slice(0, start)} />
      <strong>{host}</strong>
      <Visible text={href.slice(start + host.length)} />
    </>
  );
}

interface RefusalsProps {
  disabled: boolean;
  answer(reply: FormAnswer): Promise<void>;
}

/** The buttons that decline a server's question. */
export function Refusals({ disabled, answer }: RefusalsProps) {
  const { t } = usePanel();
  return (
    <>
      <Button testId="form-decline" disabled={disabled} onPress={() => void answer({ action: "decline" })}>
        {t("Decline")}
      </Button>
      <Button testId="form-cancel" disabled={disabled} onPress={() => void answer({ action: "cancel" })}>
        {t("Cancel")}
      </Button>
    </>
  );
}
