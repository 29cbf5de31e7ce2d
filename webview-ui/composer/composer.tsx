/** Where the person writes. It never loses a word: the draft outlives the page, and comes back when sending fails. */
import {
  type ClipboardEvent,
  type KeyboardEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { describe } from "../actions.ts";
import type { Attachment } from "../host.ts";
import { usePanel, usePanelState, useView } from "../panel.ts";
import { IconButton } from "../toolkit/button.tsx";
import { Icon } from "../toolkit/icon.tsx";
import { AttachButton, AttachedImages } from "./attached-images.tsx";
import { isComposing } from "./composing.ts";
import { lastMessageId, unsent } from "./draft.ts";
import { readImages } from "./images.ts";
import { MentionMenu, useMentionSource } from "./mention-menu.tsx";
import { SlashMenu, useSlashSource } from "./slash-menu.tsx";
import { useMenu } from "./use-menu.ts";

export function Composer() {
  const { t, actions, store, kept, composer } = usePanel();
  const status = useView((view) => view.status);
  const [text, setText] = useState(kept.value.draft);
  const [images, setImages] = useState<readonly Attachment[]>(kept.value.images);
  const box = useRef<HTMLTextAreaElement>(null);
  /** Where the cursor goes once a text set by the program is on the page. */
  const wanted = useRef<[number, number] | null>(kept.value.selection);
  /** Sent, not yet taken by the host: kept with the draft until it is. */
  const unacknowledged = useRef("");

  const edit = (next: string, cursor: number) => {
    wanted.current = [cursor, cursor];
    setText(next);
  };
  const send = () => latest.current.submit();
  const mentions = useMenu(useMentionSource(), text, edit, send);
  const commands = useMenu(useSlashSource(), text, edit, send);
  const menu = commands.open ? commands : mentions;
  const lookMention = mentions.look;
  const lookCommand = commands.look;
  /** Opens, changes or closes what completes the word at the cursor. */
  const look = useCallback(
    (text: string, cursor: number, focused: boolean) => {
      lookMention(text, cursor, focused);
      lookCommand(text, cursor, focused);
    },
    [lookMention, lookCommand],
  );
  const closeMenus = () => {
    mentions.close();
    commands.close();
  };
  const submit = () => {
    const sent = text;
    if (sent.trim() === "" && images.length === 0) return;
    const sentImages = images;
    unacknowledged.current = joined(unacknowledged.current, sent);
    edit("", 0);
    setImages([]);
    closeMenus();
    const settle = () => {
      unacknowledged.current =
        unacknowledged.current === sent ? "" : unacknowledged.current.replace(sent, "").trim();
      keep();
    };
    actions.send(sent, sentImages).then(settle, () => {
      // The host did not take it: back it goes, before what has been typed since.
      const restored = joined(sent, latest.current.text);
      latest.current.edit(restored, restored.length);
      setImages((since) => [...sentImages, ...since]);
      settle();
    });
  };
  const latest = useRef({ text, images, edit, submit });
  latest.current = { text, images, edit, submit };

  useLayoutEffect(() => {
    // Also when the text is the same: a cursor may be wanted for it.
    if (box.current && wanted.current && box.current.value === text) {
      box.current.setSelectionRange(...wanted.current);
      look(text, box.current.selectionEnd, box.current === document.activeElement);
    }
    wanted.current = null;
  }, [text, look]);

  const keep = () => {
    const { selectionStart = 0, selectionEnd = 0 } = box.current ?? {};
    const { text, images } = latest.current;
    const draft = joined(unacknowledged.current, text);
    // What is on its way will be the last message itself, before the host says that it took it.
    const draftAfter =
      unacknowledged.current === "" && store.state.opened
        ? lastMessageId(store.state.view)
        : kept.value.draftAfter;
    kept.update({ draft, draftAfter, selection: [selectionStart, selectionEnd], images: [...images] });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the draft is written when what it holds changes
  useEffect(keep, [text, images]);

  const opened = usePanelState((state) => state.opened);
  const restored = useRef<{ draft: string; after: string } | null>(
    kept.value.draft === "" && kept.value.images.length === 0
      ? null
      : { draft: kept.value.draft, after: kept.value.draftAfter },
  );
  useEffect(() => {
    const before = restored.current;
    if (!opened || !before) return;
    restored.current = null;
    if (latest.current.text !== before.draft) return;
    const rest = unsent(store.state.view, before.draft, before.after);
    if (rest === before.draft) return;
    latest.current.edit(rest, rest.length);
    setImages([]);
  }, [opened, store]);

  useEffect(
    () =>
      composer.attach({
        insert(addition) {
          const { text, edit } = latest.current;
          const [from, to] = [
            box.current?.selectionStart ?? text.length,
            box.current?.selectionEnd ?? text.length,
          ];
          const before = from > 0 && !/\s$/.test(text.slice(0, from)) ? " " : "";
          const after = /^\s/.test(text.slice(to)) ? "" : " ";
          const head = text.slice(0, from) + before + addition + after;
          edit(head + text.slice(to), head.length);
        },
        fill(draft) {
          box.current?.focus();
          latest.current.edit(draft, draft.length);
        },
        focus: () => box.current?.focus(),
      }),
    [composer],
  );

  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (mentions.onKey(event) || commands.onKey(event)) {
      event.preventDefault();
      return;
    }
    if (event.key === "Enter" && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      submit();
    } else if (event.key === "ArrowUp" && text === "") {
      const last = lastOwnMessage(store.state.view);
      if (last === "") return;
      event.preventDefault();
      edit(last, last.length);
    }
  };

  /** False: there is no image among them. */
  const attach = (list: Iterable<File>): boolean => {
    const files = [...list].filter((file) => file.type.startsWith("image/"));
    if (files.length === 0) return false;
    readImages(files).then(
      (added) => setImages((since) => [...since, ...added]),
      (error: unknown) => store.report(describe(error)),
    );
    return true;
  };
  const onPaste = (event: ClipboardEvent) => {
    if (attach(event.clipboardData.files)) event.preventDefault();
  };

  const busy = status !== "idle";
  const hasSomething = text.trim() !== "" || images.length > 0;
  return (
    <div className="composer">
      <MentionMenu menu={mentions} />
      <SlashMenu menu={commands} />
      <AttachedImages images={images} remove={(index) => setImages(images.filter((_, i) => i !== index))} />
      <div className="composer-box">
        <textarea
          ref={box}
          className="composer-text"
          data-testid="chat-input"
          rows={2}
          value={text}
          placeholder={
            busy
              ? t("Enter queues your message for the agent")
              : t("What should be done? Enter sends, @ names a file, / a command")
          }
          aria-label={t("Message")}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={menu.open ? menu.listId : undefined}
          aria-activedescendant={menu.open ? menu.activeId : undefined}
          onChange={(event) => {
            setText(event.target.value);
            look(event.target.value, event.target.selectionEnd, true);
          }}
          onSelect={(event) => {
            look(event.currentTarget.value, event.currentTarget.selectionEnd, true);
            keep();
          }}
          onBlur={closeMenus}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        <div className="composer-buttons">
          <AttachButton attach={attach} />
          {busy ? (
            <IconButton label={t("Stop")} testId="stop" onPress={() => actions.run("chat/stop", {})}>
              <Icon name="stop" />
            </IconButton>
          ) : null}
          {busy && !hasSomething ? null : (
            <IconButton
              label={busy ? t("Queue") : t("Send")}
              testId="send"
              disabled={!hasSomething}
              onPress={submit}
            >
              <Icon name="send" />
            </IconButton>
          )}
        </div>
      </div>
    </div>
  );
}

function joined(first: string, second: string): string {
  return first !== "" && second !== "" ? `${first}\n${second}` : first + second;
}

function lastOwnMessage(view: { settled: readonly { kind: string }[] }): string {
  const row = view.settled.findLast((other) => other.kind === "user");
  return row && "text" in row && typeof row.text === "string" ? row.text : "";
}
