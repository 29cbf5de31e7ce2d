/** The field that finds a text in the whole conversation, including messages that are not loaded. */
import { type RefObject, useEffect, useRef, useState } from "react";
import { isClaimedKey } from "../keys/claimed-key.ts";
import { usePanel, usePanelState } from "../panel.ts";
import { IconButton } from "../toolkit/button.tsx";
import { Icon } from "../toolkit/icon.tsx";
import { PlainField } from "../toolkit/plain-field.tsx";
import type { ScrollNavigator } from "../transcript/scroll-navigator.ts";
import { useFind } from "./use-find.ts";

/** A selection longer than this (UTF-16 units) is not what the user wants to find. */
const LONGEST_SELECTION = 200;

export default function FindBar({ scrollNavigator }: { scrollNavigator: RefObject<ScrollNavigator | null> }) {
  const { t, store } = usePanel();
  const [text, setText] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const { result, at, go } = useFind(text, scrollNavigator);
  /** The element that had the focus, and the reading position, before the search. */
  const [before] = useState(() => ({
    element: document.activeElement,
    place: scrollNavigator.current?.place ?? null,
  }));

  const requests = usePanelState((state) => state.finding);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the user asked again
  useEffect(() => {
    const selected = selectionIn(scrollNavigator.current?.box);
    const { current } = field;
    if (!current) return;
    if (selected !== "") {
      setText(selected);
      // Selects the text before it is rendered. Otherwise a letter typed in the meantime would be selected too, and the next
      // letter would replace it.
      current.value = selected;
    }
    current.focus();
    current.select();
  }, [requests, scrollNavigator]);

  const goRef = useRef(go);
  goRef.current = go;
  useEffect(() => {
    const onWindowKeyDown = (event: KeyboardEvent) => {
      const { key, shiftKey, metaKey, ctrlKey, altKey } = event;
      const isNext = (key === "F3" && !ctrlKey && !metaKey) || (key.toLowerCase() === "g" && metaKey);
      if (!isNext || altKey) return;
      event.preventDefault();
      event.stopPropagation();
      goRef.current(shiftKey ? -1 : 1);
    };
    document.addEventListener("keydown", onWindowKeyDown);
    return () => document.removeEventListener("keydown", onWindowKeyDown);
  }, []);

  const close = () => {
    store.closeFind();
    scrollNavigator.current?.goBack(before.place);
    if (before.element instanceof HTMLElement) before.element.focus({ preventScroll: true });
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (isClaimedKey(event)) return;
    if (event.key === "Escape") close();
    else if (event.key === "Enter" && event.target === field.current) go(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const none = result === undefined || result.total === 0;
  return (
    <search className="find" aria-label={t("Find in conversation")} onKeyDown={onKeyDown}>
      <PlainField
        ref={field}
        testId="find-input"
        aria-label={t("Find")}
        placeholder={t("Find")}
        maxLength={1000}
        value={text}
        change={setText}
      />
      <span className="find-count" role="status" data-testid="find-count">
        {result === undefined
          ? null
          : result.total === 0
            ? t("No results")
            : t("{0} of {1}", at < 0 ? "?" : at + 1, result.more ? `${result.total}+` : result.total)}
      </span>
      <IconButton
        label={t("Previous match")}
        hint={t("Previous match (Shift+Enter)")}
        disabled={none}
        onPress={() => go(-1)}
      >
        <Icon name="up" />
      </IconButton>
      <IconButton
        label={t("Next match")}
        hint={t("Next match (Enter)")}
        disabled={none}
        onPress={() => go(1)}
      >
        <Icon name="down" />
      </IconButton>
      <IconButton label={t("Close")} hint={t("Close (Escape)")} onPress={close}>
        <Icon name="close" />
      </IconButton>
    </search>
  );
}

/** The text that is selected in the conversation, if it is a single line. */
function selectionIn(box: HTMLElement | undefined): string {
  const selection = document.getSelection();
  if (!box || !selection?.anchorNode || !box.contains(selection.anchorNode)) return "";
  const selected = selection.toString().trim();
  return selected.length > LONGEST_SELECTION || selected.includes("\n") ? "" : selected;
}
