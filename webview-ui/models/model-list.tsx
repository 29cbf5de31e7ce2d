/** A list of models with a search field, which keeps the focus (the combobox pattern of ARIA). */
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { nameParts } from "../../src/shared/models/connection.ts";
import type { ModelEntry } from "../../src/shared/models/facts.ts";
import { isClaimedKey } from "../keys/claimed-key.ts";
import { usePanel } from "../panel.ts";
import { Visible } from "../text/visible.tsx";
import { Icon } from "../toolkit/icon.tsx";
import { PlainField } from "../toolkit/plain-field.tsx";
import { factsLine, factsTitle } from "./model-facts.ts";
import { type ModelGroup, type ModelOption, optionsFor } from "./model-search.ts";

interface ModelListProps {
  label: string;
  groups: readonly ModelGroup[];
  /** The model that is in use. */
  current: string;
  favorites: ReadonlySet<string>;
  /** Connections without a list of models: the user can always enter a name. */
  typedAt: readonly string[];
  /** Connections for which the user can enter a name if the lists have no match. */
  typedElse?: readonly string[];
  /** More models may arrive. */
  isLoading?: boolean;
  choose(name: string): void;
  /** Absent: favorites are not offered. */
  setFavorite?: ((name: string, favorite: boolean) => void) | undefined;
  /** Escape was pressed in an empty field. */
  leave?(): void;
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };

export function ModelList(props: ModelListProps) {
  const { label, groups, current, favorites, typedAt, typedElse = [], isLoading = false } = props;
  const { choose, setFavorite, leave } = props;
  const { t } = usePanel();
  const ids = useId();
  const [query, setQuery] = useState("");
  const [active, setActive] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  /** The query for which Enter was pressed before there were options. The first option is chosen when it arrives. */
  const early = useRef<string | null>(null);
  // Sets the focus in the frame that draws the field, so that no letter is typed elsewhere.
  useLayoutEffect(() => field.current?.focus(), []);
  const matches = optionsFor(groups, query, t("Models"));
  const namable = matches.length === 0 ? [...new Set([...typedAt, ...typedElse])] : typedAt;
  const options = [...matches, ...typedOptions(query, namable, t("Not in the list"))];
  const [first] = options;
  const isFirstSure =
    first !== undefined && (!isLoading || !first.isTyped || first.model.name === query.trim());
  useEffect(() => {
    if (early.current !== query || !isFirstSure) return;
    early.current = null;
    choose(first.model.name);
  });
  const at = Math.min(active, options.length - 1);
  const optionId = (index: number) => `${ids}option-${index}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: other options may be at the same place
  useEffect(() => {
    document.getElementById(optionId(at))?.scrollIntoView({ block: "nearest" });
  }, [at, query, options.length]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (isClaimedKey(event)) return;
    const option = options[at];
    const step = STEPS[event.key];
    if (step !== undefined && options.length > 0) {
      const last = options.length - 1;
      const isSingle = Math.abs(step) === 1;
      const next = isSingle
        ? (at + step + options.length) % options.length
        : Math.max(0, Math.min(last, at + step));
      setActive(next);
    } else if (event.key === "Enter" && option) choose(option.model.name);
    else if (event.key === "Enter" && isLoading && query.trim() !== "") early.current = query;
    else if (event.key === "d" && (event.ctrlKey || event.metaKey) && option && setFavorite)
      setFavorite(option.model.name, !favorites.has(option.model.name));
    else if (event.key === "Escape" && query !== "") {
      setQuery("");
      setActive(0);
    } else if (event.key === "Escape" && leave) leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div className="model-list">
      <PlainField
        ref={field}
        testId="model-search"
        role="combobox"
        aria-label={label}
        aria-expanded="true"
        aria-autocomplete="list"
        aria-controls={`${ids}list`}
        aria-activedescendant={at < 0 ? undefined : optionId(at)}
        aria-describedby={`${ids}keys`}
        placeholder={t("Search models")}
        value={query}
        change={(text) => {
          early.current = null;
          setQuery(text);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <span id={`${ids}keys`} className="only-heard">
        {setFavorite ? t("Enter to choose, Ctrl+D to add to or remove from favorites") : t("Enter to choose")}
      </span>
      <div className="only-heard" role="status">
        {t("{0} models", options.length)}
      </div>
      {options.length === 0 ? null : (
        <div className="model-options" id={`${ids}list`} role="listbox" aria-label={label}>
          {grouped(options).map(({ heading, first, members }) => (
            // biome-ignore lint/a11y/useSemanticElements: a group of options is not a fieldset
            <div key={`${heading}${first}`} role="group" aria-label={heading}>
              <div className="picker-head" aria-hidden="true">
                {heading}
              </div>
              {members.map((option, index) => (
                <Option
                  key={option.key}
                  id={optionId(first + index)}
                  option={option}
                  isActive={first + index === at}
                  isCurrent={option.model.name === current}
                  isFavorite={favorites.has(option.model.name)}
                  point={() => setActive(first + index)}
                  choose={() => choose(option.model.name)}
                  setFavorite={setFavorite && ((favorite) => setFavorite(option.model.name, favorite))}
                />
              ))}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

interface OptionProps {
  id: string;
  option: ModelOption;
  isActive: boolean;
  isCurrent: boolean;
  isFavorite: boolean;
  point(): void;
  choose(): void;
  setFavorite: ((favorite: boolean) => void) | undefined;
}

function Option({ id, option, isActive, isCurrent, isFavorite, point, choose, setFavorite }: OptionProps) {
  const { t } = usePanel();
  const { model, isTyped = false, showsConnection = false } = option;
  const { connection, model: modelId } = nameParts(model.name);
  const about = [showsConnection ? connection : "", factsLine(t, model.facts)]
    .filter((part) => part !== "")
    .join(" · ");
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus (aria-activedescendant)
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
    <div
      id={id}
      data-testid="model-option"
      role="option"
      className="model-option"
      aria-selected={isActive}
      title={isTyped ? undefined : factsTitle(t, model)}
      // A press must not take the focus from the field.
      onMouseDown={(event) => event.preventDefault()}
      onMouseMove={() => isActive || point()}
      onClick={choose}
    >
      <span className="model-check" aria-hidden="true">
        {isCurrent ? <Icon name="check" /> : null}
      </span>
      <span className="model-words">
        <span className="model-id">
          <Visible text={model.title ?? modelId} />
          {isCurrent ? <span className="only-heard"> {t("(in use)")}</span> : null}
          {isFavorite ? <span className="only-heard"> {t("(favorite)")}</span> : null}
        </span>
        {about === "" ? null : (
          <span className="model-about">
            <Visible text={about} />
          </span>
        )}
      </span>
      {isTyped || !setFavorite ? null : (
        <span
          className="model-star"
          data-testid="model-star"
          data-on={isFavorite}
          aria-hidden="true"
          title={isFavorite ? t("Remove from favorites (Ctrl+D)") : t("Add to favorites (Ctrl+D)")}
          onClick={(event) => {
            event.stopPropagation();
            setFavorite(!isFavorite);
          }}
        >
          <Icon name="star" />
        </span>
      )}
    </div>
  );
}

/** The query as the name of a model of each of these connections. */
function typedOptions(query: string, typedAt: readonly string[], heading: string): ModelOption[] {
  const id = query.trim();
  if (id === "" || /\s/.test(id)) return [];
  // A full name comes first. Its first part may also belong to the id, as at endpoints that offer models of several makers.
  const whole = typedAt.filter((connection) => id.startsWith(`${connection}/`) && id !== `${connection}/`);
  const names = [...whole.map(() => id), ...typedAt.map((connection) => `${connection}/${id}`)];
  return names
    .map((name): ModelEntry => ({ name, facts: {} }))
    .map((model) => ({ key: `typed ${model.name}`, heading, model, showsConnection: true, isTyped: true }));
}

function grouped(
  options: readonly ModelOption[],
): { heading: string; first: number; members: ModelOption[] }[] {
  const groups: { heading: string; first: number; members: ModelOption[] }[] = [];
  options.forEach((option, index) => {
    const last = groups.at(-1);
    if (last?.heading === option.heading) last.members.push(option);
    else groups.push({ heading: option.heading, first: index, members: [option] });
  });
  return groups;
}
