/** The available rules files, skills, commands and agents, each with a switch and whether it applies. */
import { type ReactNode, useCallback, useEffect, useMemo, useState } from "react";
import { type DefinitionItem, definitionItemsSchema } from "../../src/shared/definition-list.ts";
import type { Params, Result } from "../../src/shared/protocol.ts";
import { type RuleFile, ruleFilesSchema } from "../../src/shared/rule-file.ts";
import { type RuleSource, ruleSourceSchema } from "../../src/shared/rule-list.ts";
import {
  definitionProblemText,
  definitionSourceText,
  definitionStateText,
  definitionsTitle,
} from "../../src/shared/words/definition-words.ts";
import { ruleSourceText } from "../../src/shared/words/rule-words.ts";
import { usePanel } from "../panel.ts";
import { RuleStateText } from "../text/rule-state.tsx";
import { Visible } from "../text/visible.tsx";
import { Button } from "../toolkit/button.tsx";
import { Icon } from "../toolkit/icon.tsx";
import { Switch } from "../toolkit/switch.tsx";
import { ScreenFrame } from "./screen.tsx";

export default function RulesScreen() {
  const { t, actions, store } = usePanel();
  const { listed, refresh } = useRules();
  const rules = useMemo(() => ruleFilesSchema.parse(listed?.rules ?? []), [listed]);
  const definitions = useMemo(() => definitionItemsSchema.parse(listed?.definitions ?? []), [listed]);
  const change = async (params: Params<"rules/switch">) => {
    await actions.ask("rules/switch", params);
    await refresh();
  };
  const begin = (place: Params<"rules/new">["place"]) => actions.run("rules/new", { place });
  return (
    <ScreenFrame title={t("Rules")}>
      <div className="rules" data-testid="rules-list" aria-busy={listed === null}>
        <p className="detail">
          {t("Instructions included in every task. Changes apply from your next message.")}
        </p>
        <div className="buttons">
          {listed?.hasWorkspace === false ? null : (
            <Button testId="new-rule" onPress={() => begin("project")}>
              {t("New rule for this project")}
            </Button>
          )}
          <Button testId="new-global-rule" onPress={() => begin("global")}>
            {t("New rule for all projects")}
          </Button>
          <Button testId="show-memory" onPress={() => store.show("memory")}>
            {t("Show memory")}
          </Button>
        </div>
        {listed && rules.length === 0 ? <p className="detail">{t("There are no rules yet.")}</p> : null}
        {groupsOf(rules).map(([source, ofSource]) => (
          <Group
            key={source}
            title={ruleSourceText(t, source)}
            aside={
              <Switch
                name={t("All rules: {0}", ruleSourceText(t, source))}
                on={ofSource.every(({ state }) => state !== "source-off")}
                change={(on) => void change({ what: "source", name: source, on })}
              />
            }
          >
            {ofSource.map((rule) => (
              <Rule
                key={rule.name}
                rule={rule}
                change={(on) => void change({ what: "file", name: rule.name, on })}
              />
            ))}
          </Group>
        ))}
        {(["skill", "command", "agent"] as const).map((kind) => (
          <Definitions
            key={kind}
            title={definitionsTitle(t, kind)}
            items={definitions.filter((item) => item.kind === kind)}
            change={(name, on) => void change({ what: "file", name, on })}
          />
        ))}
      </div>
    </ScreenFrame>
  );
}

/** Requests the rules when the screen opens, and again when the host reports a change. */
function useRules(): { listed: Result<"rules/list"> | null; refresh(): Promise<void> } {
  const { actions, rulesChanged } = usePanel();
  const [listed, setListed] = useState<Result<"rules/list"> | null>(null);
  const refresh = useCallback(async () => {
    const answer = await actions.ask("rules/list", {});
    if (answer) setListed(answer);
  }, [actions]);
  useEffect(() => {
    void refresh();
    return rulesChanged.subscribe(() => void refresh());
  }, [refresh, rulesChanged]);
  return { listed, refresh };
}

function groupsOf(rules: readonly RuleFile[]): [RuleSource, RuleFile[]][] {
  return ruleSourceSchema.options
    .map((source): [RuleSource, RuleFile[]] => [source, rules.filter((rule) => rule.source === source)])
    .filter(([, files]) => files.length > 0);
}

function Group({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className="rules-group" aria-label={title}>
      <div className="rules-head">
        <h3>{title}</h3>
        {aside}
      </div>
      <ul>{children}</ul>
    </section>
  );
}

function Rule({ rule, change }: { rule: RuleFile; change(on: boolean): void }) {
  const { name, state } = rule;
  const decided = state === "source-off" || state === "untrusted";
  return (
    <li data-testid="rule" data-state={state}>
      <Opener name={name} title={name} />
      <Switch name={name} on={state !== "off" && !decided} disabled={decided} change={change} />
      <RuleStateText rule={rule} />
    </li>
  );
}

interface DefinitionsProps {
  title: string;
  items: readonly DefinitionItem[];
  change(file: string, on: boolean): void;
}

function Definitions({ title, items, change }: DefinitionsProps) {
  if (items.length === 0) return null;
  return (
    <Group title={title}>
      {items.map((item) => (
        <Definition key={item.file} item={item} change={(on) => change(item.file, on)} />
      ))}
    </Group>
  );
}

function Definition({ item, change }: { item: DefinitionItem; change(on: boolean): void }) {
  const { t } = usePanel();
  const { kind, usage, file, description, state, tokens, problems } = item;
  const facts = [
    definitionSourceText(t, item),
    ...(tokens > 0 ? [t("{0} tokens", tokens.toLocaleString())] : []),
    definitionStateText(t, item),
  ];
  return (
    <li data-testid="definition" data-state={state}>
      <Opener name={file} title={usage === "" ? file : `${kind === "agent" ? "" : "/"}${usage}`} />
      <Switch
        name={file}
        on={state === "on"}
        disabled={state === "untrusted" || state === "unusable"}
        change={change}
      />
      <p className="rule-state">
        <Visible text={facts.filter((fact) => fact !== "").join(" · ")} />
      </p>
      {description === "" ? null : (
        <p className="rule-state">
          <Visible text={description} />
        </p>
      )}
      {problems.map((problem, index) => (
        <p className="rule-state" key={problem.join(" ")}>
          <Icon name="warning" />
          <span>
            <Visible
              text={
                state === "unusable" && index === 0
                  ? t("Not applied: {0}", definitionProblemText(t, problem))
                  : definitionProblemText(t, problem)
              }
            />
          </span>
        </p>
      ))}
    </li>
  );
}

/** The file's name, which opens the file. */
function Opener({ name, title }: { name: string; title: string }) {
  const { t, actions } = usePanel();
  return (
    <button
      type="button"
      className="rule-name"
      title={t("Open {0}", name)}
      onClick={() => actions.run("rules/open", { name })}
    >
      <Visible text={title} />
    </button>
  );
}
