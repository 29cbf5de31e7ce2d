/** The field that finds a text in all of the conversation, also in messages that are not loaded. */
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

export default function FindBar({ way }: { way: RefObject<ScrollNavigator | null> }) {
  const { t, store } = usePanel();
  const [text, setText] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const { found, at, go } = useFind(text, way);
  /** What had the focus, and where the conversation was, before the user looked for something. */
  const [before] = useState(() => ({
    element: document.activeElement,
    place: way.current?.place ?? null,
  }));

  const asked = usePanelState((state) => state.finding);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the user asked again
  useEffect(() => {
    const selected = selectionIn(way.current?.box);
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
  }, [asked, way]);

  const goRef = useRef(go);
  goRef.current = go;
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const { key, shiftKey, metaKey, ctrlKey, altKey } = event;
      const isNext = (key === "F3" && !ctrlKey && !metaKey) || (key.toLowerCase() === "g" && metaKey);
      if (!isNext || altKey) return;
      event.preventDefault();
      event.stopPropagation();
      goRef.current(shiftKey ? -1 : 1);
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, []);

  const close = () => {
    store.closeFind();
    way.current?.goBack(before.place);
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
  const none = found === undefined || found.total === 0;
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
        {found === undefined
          ? null
          : found.total === 0
            ? t("No results")
            : t("{0} of {1}", at < 0 ? "?" : at + 1, found.more ? `${found.total}+` : found.total)}
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

/** The selected text of the conversation, if it is of one line. */
function selectionIn(box: HTMLElement | undefined): string {
  const selection = document.getSelection();
  if (!box || !selection?.anchorNode || !box.contains(selection.anchorNode)) return "";
  const selected = selection.toString().trim();
  return selected.length > LONGEST_SELECTION || selected.includes("\n") ? "" : selected;
}
