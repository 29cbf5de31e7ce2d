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
import type { Mention } from "../../src/shared/mentions.ts";
import type { Draft } from "../../src/shared/protocol.ts";
import type { Attachment } from "../host.ts";
import { usePanel, usePanelState, useView } from "../panel.ts";
import { Chips } from "./chips.tsx";
import { ComposerButtons } from "./composer-buttons.tsx";
import { isComposing } from "./composing.ts";
import { lastMessageId, unsent } from "./draft.ts";
import { DropZone } from "./drop-zone.tsx";
import { readImages } from "./images.ts";
import { MentionMenu, useMentionSource } from "./mention-menu.tsx";
import { SlashMenu, useSlashSource } from "./slash-menu.tsx";
import { typeOver, without } from "./typing.ts";
import { useMenu } from "./use-menu.ts";

export function Composer() {
  const { t, actions, store, kept, composer } = usePanel();
  const busy = useView((view) => view.status !== "idle");
  const [text, setText] = useState(kept.value.draft);
  /** Where the cursor was after the last change of the text. */
  const [changedAt, setChangedAt] = useState(-1);
  const [images, setImages] = useState<readonly Attachment[]>(kept.value.images);
  const box = useRef<HTMLTextAreaElement>(null);
  /** Where the cursor goes once a text set by the program is on the page. */
  const wanted = useRef<[number, number] | null>(kept.value.selection);
  /** Sent, not yet taken by the host: kept with the draft until it is. */
  const unacknowledged = useRef("");

  /** Another text in place of this one: there is no way back to the one before. */
  const edit = (next: string, cursor: number) => {
    wanted.current = [cursor, cursor];
    setText(next);
    setChangedAt(cursor);
  };
  /** A change that undo takes back, where the person is in the text. */
  const change = (next: string, cursor: number) => {
    if (typeOver(box.current, next, cursor)) look(next, cursor, true);
    else edit(next, cursor);
  };
  const send = () => latest.current.submit();
  const mentions = useMenu(useMentionSource(), text, change, send);
  const commands = useMenu(useSlashSource(), text, change, send);
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
  const latest = useRef({ text, images, edit, change, submit });
  latest.current = { text, images, edit, change, submit };

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
    // Not before the host has said what it kept: it may know of more.
    if (store.state.opened) actions.keepDraft({ text: draft, after: draftAfter, images: [...images] });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the draft is written when what it holds changes
  useEffect(keep, [text, images]);

  const opened = usePanelState((state) => state.opened);
  /** The page's own draft; undefined once it has been compared with what the host knows. */
  const own = useRef<Draft | undefined>({
    text: kept.value.draft,
    after: kept.value.draftAfter,
    images: kept.value.images,
  });
  useEffect(() => {
    const mine = own.current;
    if (!opened || !mine) return;
    own.current = undefined;
    const { view, draft } = store.state;
    const newest = draft ?? mine;
    const rest = unsent(view, newest.text, newest.after);
    const { text } = latest.current;
    // What has been typed since comes after what the host knows and the page did not.
    const next = text === mine.text ? rest : rest === mine.text ? text : joined(rest, text);
    if (next !== text) latest.current.edit(next, next.length);
    if (draft || rest !== newest.text) setImages(rest === newest.text ? newest.images : []);
  }, [opened, store]);

  useEffect(
    () =>
      composer.attach({
        insert(addition, added = []) {
          setImages((since) => [...since, ...added]);
          if (addition === "") return;
          const { text, change } = latest.current;
          const [from, to] = [
            box.current?.selectionStart ?? text.length,
            box.current?.selectionEnd ?? text.length,
          ];
          const before = from > 0 && !/\s$/.test(text.slice(0, from)) ? " " : "";
          const after = /^\s/.test(text.slice(to)) ? "" : " ";
          const head = text.slice(0, from) + before + addition + after;
          change(head + text.slice(to), head.length);
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

  const attach = async (files: Iterable<File>) => {
    const { images, problems } = await readImages([...files], t);
    setImages((since) => [...since, ...images]);
    if (problems.length > 0) store.report(problems.join(" "));
  };
  const onPaste = (event: ClipboardEvent) => {
    const images = [...event.clipboardData.files].filter((file) => file.type.startsWith("image/"));
    if (images.length === 0) return;
    event.preventDefault();
    void attach(images);
  };
  const mentionUris = async (uris: string[]) => {
    const answer = await actions.ask("files/mention", { uris });
    if (!answer) return;
    if (answer.mentions.length > 0) composer.insert(answer.mentions.join(" "));
    composer.focus();
    if (answer.refused.length > 0)
      store.report(t("Not in this workspace, so it cannot be mentioned: {0}", answer.refused.join(", ")));
  };
  const removeMention = ({ start, end }: Mention) => {
    box.current?.focus();
    change(without(text, start, end), start);
  };
  /** As if the person had typed the sign that opens the menu. */
  const beginMention = () => {
    box.current?.focus();
    const at = box.current?.selectionEnd ?? text.length;
    const sign = at > 0 && !/\s$/.test(text.slice(0, at)) ? " @" : "@";
    change(text.slice(0, at) + sign + text.slice(at), at + sign.length);
  };

  const hasSomething = text.trim() !== "" || images.length > 0;
  return (
    <div className="composer">
      <MentionMenu menu={mentions} />
      <SlashMenu menu={commands} />
      <DropZone attach={(files) => void attach(files)} mention={(uris) => void mentionUris(uris)} />
      <div className="composer-box">
        <Chips
          text={text}
          cursor={changedAt}
          images={images}
          removeMention={removeMention}
          removeImage={(index) => {
            box.current?.focus();
            setImages(images.filter((_, i) => i !== index));
          }}
        />
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
            setChangedAt(event.target.selectionEnd);
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
        <ComposerButtons hasSomething={hasSomething} attach={attach} mention={beginMention} submit={submit} />
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
