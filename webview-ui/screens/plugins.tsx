/** The installed plugins, and the form that adds one: what it adds is shown before it is installed. */
import { useCallback, useEffect, useRef, useState } from "react";
import {
  type ListedPlugin,
  type PluginAction,
  type PluginComponent,
  type PluginList,
  type PluginPreview,
  pluginListSchema,
} from "../../src/shared/plugin-list.ts";
import {
  pluginChangeText,
  pluginConsequenceText,
  pluginKindText,
  pluginProblemText,
  pluginStateText,
} from "../../src/shared/words/plugin-words.ts";
import type { Translate } from "../../src/shared/words/task-words.ts";
import { ManagedLines } from "../managed/managed-lines.tsx";
import { usePanel } from "../panel.ts";
import { Visible } from "../text/visible.tsx";
import { Button } from "../toolkit/button.tsx";
import { Icon } from "../toolkit/icon.tsx";
import { ProgressRing } from "../toolkit/progress-ring.tsx";
import { Switch } from "../toolkit/switch.tsx";
import { TextField } from "../toolkit/text-field.tsx";
import { ScreenFrame } from "./screen.tsx";

type Ask = (action: PluginAction | null) => Promise<void>;

/** Files of an update that are listed by name. */
const MOST_FILES_SHOWN = 50;

export default function PluginsScreen() {
  const { t } = usePanel();
  const { listed, busy, ask } = usePlugins();
  const heading = useRef<HTMLHeadingElement>(null);
  /** The pressed button disappears with what it was in. */
  const leave = (action: PluginAction) => {
    heading.current?.focus();
    void ask(action);
  };
  return (
    <ScreenFrame title={t("Plugins")} heading={heading}>
      <div className="servers" data-testid="plugins-list" aria-busy={listed === null || busy}>
        <ManagedLines codes={["plugins"]} />
        <p className="detail">
          {t(
            "Plugins are packages of skills, commands, agents, hooks and MCP servers. Nothing of a plugin runs when it is installed.",
          )}
        </p>
        <AddPlugin busy={busy} ask={ask} />
        <p className="only-heard" role="status">
          {listed?.preview ? previewTitle(t, listed.preview) : (listed?.choice?.names ?? []).join(", ")}
        </p>
        {listed?.choice === undefined ? null : <Choice choice={listed.choice} busy={busy} ask={ask} />}
        {listed?.preview === undefined ? null : (
          <Preview preview={listed.preview} busy={busy} leave={leave} />
        )}
        {listed?.plugins.length === 0 ? (
          <p className="detail">{t("No plugins are installed.")}</p>
        ) : (
          <ul className="server-items">
            {listed?.plugins.map((plugin) => (
              <PluginItem key={plugin.name} plugin={plugin} busy={busy} ask={ask} leave={leave} />
            ))}
          </ul>
        )}
      </div>
    </ScreenFrame>
  );
}

/** Requests the plugins when the screen opens. Each action returns the list as it is afterwards. */
function usePlugins(): { listed: PluginList | null; busy: boolean; ask: Ask } {
  const { actions } = usePanel();
  const [listed, setListed] = useState<PluginList | null>(null);
  const [busy, setBusy] = useState(false);
  const ask = useCallback(
    async (action: PluginAction | null) => {
      setBusy(true);
      const answer = await actions.ask("plugins/ask", { ask: action });
      setBusy(false);
      if (answer) setListed(pluginListSchema.parse(answer.list));
    },
    [actions],
  );
  useEffect(() => void ask(null), [ask]);
  return { listed, busy, ask };
}

function AddPlugin({ busy, ask }: { busy: boolean; ask: Ask }) {
  const { t } = usePanel();
  const [address, setAddress] = useState("");
  const show = () => {
    if (!busy && address.trim() !== "") void ask({ action: "preview", address });
  };
  return (
    <section className="server-form" aria-label={t("Add plugin")} data-testid="add-plugin">
      <TextField
        testId="plugin-address"
        label={t("Folder, Git address, or owner/repository on GitHub")}
        value={address}
        placeholder="https://example.com/plugin.git#v1.0"
        change={setAddress}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.nativeEvent.isComposing) show();
        }}
      />
      <div className="buttons">
        <Button testId="preview-plugin" disabled={busy || address.trim() === ""} onPress={show}>
          {t("Show what it adds")}
        </Button>
        {busy ? <ProgressRing /> : null}
      </div>
    </section>
  );
}

/** The plugins of a marketplace. */
function Choice({
  choice: { address, names },
  busy,
  ask,
}: {
  choice: NonNullable<PluginList["choice"]>;
  busy: boolean;
  ask: Ask;
}) {
  const { t } = usePanel();
  return (
    <section className="server-form" aria-label={t("Plugins of the marketplace")} data-testid="plugin-choice">
      <p>{t("This is a marketplace of several plugins. Choose one of them:")}</p>
      <div className="buttons">
        {names.map((plugin) => (
          <Button
            key={plugin}
            disabled={busy}
            onPress={() => void ask({ action: "preview", address, plugin })}
          >
            <Visible text={plugin} />
          </Button>
        ))}
      </div>
    </section>
  );
}

function previewTitle(t: Translate, { name, difference }: PluginPreview): string {
  return difference ? t("Update the plugin {0}?", name) : t("Install the plugin {0}?", name);
}

function Preview({
  preview,
  busy,
  leave,
}: {
  preview: PluginPreview;
  busy: boolean;
  leave(action: PluginAction): void;
}) {
  const { t } = usePanel();
  const { hash, difference, files, bytes } = preview;
  const isNew = difference === undefined;
  const head = useRef<HTMLHeadingElement>(null);
  // What the user asked for appears above the list.
  useEffect(() => {
    head.current?.scrollIntoView({ block: "nearest" });
  }, []);
  const title = previewTitle(t, preview);
  return (
    <section className="server-approval" aria-label={title} data-testid="plugin-preview">
      <h3 ref={head}>
        <Visible text={title} />
      </h3>
      <Facts plugin={preview} more={[t("Files: {0}, {1} KB", files, Math.ceil(bytes / 1024))]} />
      {isNew ? <Components components={preview.components} /> : <Difference difference={difference} />}
      <Problems problems={preview.problems} />
      {isNew ? <p>{pluginConsequenceText(t, preview)}</p> : null}
      <div className="buttons">
        <Button
          kind="primary"
          testId="install-plugin"
          disabled={busy}
          label={title}
          onPress={() => leave({ action: "install", hash })}
        >
          {isNew ? t("Install") : t("Update")}
        </Button>
        <Button testId="dismiss-plugin" onPress={() => leave({ action: "dismiss" })}>
          {t("Cancel")}
        </Button>
      </div>
    </section>
  );
}

function Facts({
  plugin: { version, source, commit, description },
  more,
}: {
  plugin: Pick<PluginPreview, "version" | "source" | "commit" | "description">;
  more: readonly string[];
}) {
  const facts = [...(version === undefined ? [] : [version]), ...more, source, commit?.slice(0, 12) ?? ""];
  return (
    <p className="detail server-about">
      <Visible text={facts.filter((fact) => fact !== "").join(" · ")} />
      {description === undefined ? null : (
        <>
          <br />
          <Visible text={description} />
        </>
      )}
    </p>
  );
}

function Components({ components }: { components: readonly PluginComponent[] }) {
  const { t } = usePanel();
  const kinds = [...new Set(components.map(({ kind }) => kind))];
  return kinds.map((kind) => (
    <section key={kind} aria-label={pluginKindText(t, kind)}>
      <h4>{pluginKindText(t, kind)}</h4>
      <ul>
        {components
          .filter((each) => each.kind === kind)
          .map((component) => (
            <li key={JSON.stringify(component)} data-testid="plugin-component">
              <ComponentText component={component} />
            </li>
          ))}
      </ul>
    </section>
  ));
}

function ComponentText({ component: { kind, name, detail } }: { component: PluginComponent }) {
  const isCommand = kind === "hook" || kind === "server";
  return (
    <>
      <strong>
        <Visible text={name} />
      </strong>
      {detail === "" ? null : ": "}
      {isCommand ? (
        <code className="server-command">
          <Visible text={detail} />
        </code>
      ) : (
        <Visible text={detail} />
      )}
    </>
  );
}

function Difference({
  difference: { components, files },
}: {
  difference: NonNullable<PluginPreview["difference"]>;
}) {
  const { t } = usePanel();
  const rest = files.length - MOST_FILES_SHOWN;
  if (files.length === 0) return <p>{t("Nothing differs from what you installed.")}</p>;
  return (
    <>
      <ul>
        {components.map(({ change, component }) => (
          <li key={JSON.stringify([change, component])} data-testid="plugin-change">
            {pluginChangeText(t, change)}: {pluginKindText(t, component.kind)}:{" "}
            <ComponentText component={component} />
          </li>
        ))}
      </ul>
      <ul aria-label={t("Files")}>
        {files.slice(0, MOST_FILES_SHOWN).map(({ change, path }) => (
          <li key={path} data-testid="plugin-file">
            {pluginChangeText(t, change)}: <Visible text={path} />
          </li>
        ))}
        {rest > 0 ? <li>{t("and {0} more files", rest)}</li> : null}
      </ul>
      <p>{t("Everything of the plugin that you approved asks again.")}</p>
    </>
  );
}

function Problems({ problems }: Pick<PluginPreview, "problems">) {
  const { t } = usePanel();
  if (problems.length === 0) return null;
  return (
    <ul className="server-problem-list" aria-label={t("Problems of the plugin")}>
      {problems.map((problem) => (
        <li key={JSON.stringify(problem)} data-testid="plugin-problem">
          <Icon name="warning" /> <Visible text={pluginProblemText(t, problem)} />
        </li>
      ))}
    </ul>
  );
}

function PluginItem({
  plugin,
  busy,
  ask,
  leave,
}: {
  plugin: ListedPlugin;
  busy: boolean;
  ask: Ask;
  leave(action: PluginAction): void;
}) {
  const { t } = usePanel();
  const { name, state, changed, components, problems } = plugin;
  return (
    <li className="server-item" data-testid="plugin-item" data-state={state}>
      <h3 className="hook-head">
        <span className="server-name">
          <Visible text={name} />
        </span>
        <Switch
          name={t("Use the plugin {0}", name)}
          on={state !== "off"}
          change={(on) => void ask({ action: "switch", name, on })}
        />
      </h3>
      <Facts plugin={plugin} more={[pluginStateText(t, state)]} />
      {changed.length === 0 ? null : (
        <ul aria-label={t("Changed files")}>
          {changed.slice(0, MOST_FILES_SHOWN).map((file) => (
            <li key={file} className="bad">
              <Visible text={file} />
            </li>
          ))}
        </ul>
      )}
      <Components components={components} />
      <Problems problems={problems} />
      <div className="buttons">
        <Button
          testId="update-plugin"
          disabled={busy}
          label={t("Check for an update of {0}", name)}
          onPress={() => void ask({ action: "preview-update", name })}
        >
          {t("Check for update")}
        </Button>
        <Button
          testId="remove-plugin"
          disabled={busy}
          label={t("Remove the plugin {0}", name)}
          onPress={() => leave({ action: "remove", name })}
        >
          {t("Remove")}
        </Button>
      </div>
    </li>
  );
}
