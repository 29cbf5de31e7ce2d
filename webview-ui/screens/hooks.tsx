/** The hooks of the project and the user: what each would run, whether the user approved it, and what happens if it fails. */
import { useCallback, useEffect, useState } from "react";
import {
  type HookAction,
  type HookList,
  hookListSchema,
  type ListedHook,
} from "../../src/shared/hook-list.ts";
import { HOOK_READERS, hookStateText } from "../../src/shared/words/hook-words.ts";
import { ManagedLines } from "../managed/managed-lines.tsx";
import { usePanel } from "../panel.ts";
import { Breakable } from "../rows/calls/changes.tsx";
import { ConfigProblems, FileLink } from "../servers/config-problems.tsx";
import { ContentLines } from "../servers/server-approval.tsx";
import { factLine } from "../text/facts.ts";
import { Visible } from "../text/visible.tsx";
import { Button } from "../toolkit/button.tsx";
import { Checkbox } from "../toolkit/checkbox.tsx";
import { Icon } from "../toolkit/icon.tsx";
import { Switch } from "../toolkit/switch.tsx";
import { ScreenFrame } from "./screen.tsx";

export default function HooksScreen() {
  const { t } = usePanel();
  const { listed, ask } = useHooks();
  const open = (file: string, line: number) => void ask({ action: "open", file, line });
  return (
    <ScreenFrame title={t("Hooks")}>
      <div className="servers" data-testid="hooks-list" aria-busy={listed === null}>
        <ManagedLines codes={["hooks"]} />
        <p className="detail">
          {t(
            "Hooks are programs that run at certain moments of a task, as you set them up for Claude Code, VS Code, GitHub Copilot or Codex. A hook runs only after you have approved exactly what it is.",
          )}
        </p>
        {listed?.untrustedWorkspace ? (
          <p className="server-note">
            {t("Hooks are not used here, because you have not trusted the workspace.")}
          </p>
        ) : null}
        <ConfigProblems problems={listed?.problems ?? []} open={open} />
        {listed?.hooks.length === 0 ? (
          <p className="detail">{t("No hooks are configured.")}</p>
        ) : (
          <ul className="server-items">
            {listed?.hooks.map((hook) => (
              <HookItem key={hook.id} hook={hook} ask={ask} open={() => open(hook.file, hook.line)} />
            ))}
          </ul>
        )}
      </div>
    </ScreenFrame>
  );
}

/** Requests the hooks when the screen opens. Each action returns the list as it is afterwards. */
function useHooks(): { listed: HookList | null; ask(action: HookAction | null): Promise<void> } {
  const { actions } = usePanel();
  const [listed, setListed] = useState<HookList | null>(null);
  const ask = useCallback(
    async (action: HookAction | null) => {
      const answer = await actions.ask("hooks/ask", { ask: action });
      if (answer) setListed(hookListSchema.parse(answer.list));
    },
    [actions],
  );
  useEffect(() => void ask(null), [ask]);
  return { listed, ask };
}

/** The files that the command runs, which the user may want to read before they approve it. */
function Scripts({ content }: { content: string }) {
  const { t, actions } = usePanel();
  const paths = content.split("\n").flatMap((line) => /^file: (.+)$/.exec(line)?.[1] ?? []);
  if (paths.length === 0) return null;
  return (
    <p className="detail server-about">
      {t("It runs:")}{" "}
      {paths.map((path) => (
        <button
          key={path}
          type="button"
          className="rule-name server-file"
          title={t("Open {0}", path)}
          onClick={() => actions.run("host/open-file", { path })}
        >
          <Breakable text={path} />
        </button>
      ))}
    </p>
  );
}

interface ItemProps {
  hook: ListedHook;
  ask(action: HookAction): Promise<void>;
  open(): void;
}

function HookItem({ hook, ask, open }: ItemProps) {
  const { t } = usePanel();
  const { id, state, content, before, command, file, line, events, asksIfItFails, plugin } = hook;
  const owner = plugin === undefined ? HOOK_READERS[hook.reader] : t("plugin {0}", plugin);
  const isOn = state !== "off";
  const needsApproval = state === "new" || state === "changed";
  return (
    <li className="server-item" data-testid="hook-item" data-state={needsApproval ? "untrusted" : state}>
      <h3 className="hook-head">
        <code className="server-command">
          <Visible text={command} />
        </code>
        <Switch
          name={t("Run this hook: {0}", command)}
          on={isOn}
          change={(on) => void ask({ action: "switch", id, on })}
        />
      </h3>
      <p className="detail server-about">
        {needsApproval ? <Icon name="warning" /> : null}
        {factLine([hookStateText(t, state), owner, events.join(", ")])}
        <br />
        <FileLink file={file} line={line} open={open} />
      </p>
      {needsApproval ? (
        <div className="server-approval" data-testid="hook-approval">
          <p>
            {state === "new"
              ? t("This hook runs only after you approve exactly this:")
              : t("This hook changed since you approved it. It runs only after you approve the changes:")}
          </p>
          <ContentLines content={content} before={before} />
          <Scripts content={content} />
          <div className="buttons">
            <Button
              kind="primary"
              testId="approve-hook"
              label={t("Approve the hook {0}", command)}
              onPress={() => void ask({ action: "approve", id, content })}
            >
              {t("Approve")}
            </Button>
          </div>
        </div>
      ) : null}
      {isOn ? (
        <Checkbox
          name={t("Ask if it fails: {0}", command)}
          on={asksIfItFails}
          change={(on) => void ask({ action: "ask-if-it-fails", id, on })}
        >
          {t("Ask if it fails")}
        </Checkbox>
      ) : null}
    </li>
  );
}
