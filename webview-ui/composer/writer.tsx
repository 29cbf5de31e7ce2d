/**
 * The text field for a new or edited message: completes mentions and commands, shows attachments, and accepts pasted or
 * dropped content. The component that renders it owns the text and images.
 */
import {
  type ClipboardEvent,
  type Dispatch,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type SetStateAction,
  useCallback,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import type { Mention } from "../../src/shared/mentions.ts";
import type { Result } from "../../src/shared/protocol.ts";
import type { DraftAttachment } from "../host.ts";
import { isClaimedKey } from "../keys/claimed-key.ts";
import { onDemand } from "../on-demand.tsx";
import { usePanel } from "../panel.ts";
import { Visible } from "../text/visible.tsx";
import { IconButton } from "../toolkit/button.tsx";
import { Icon } from "../toolkit/icon.tsx";
import { PlainArea } from "../toolkit/plain-area.tsx";
import { DropZone } from "./drop-zone.tsx";
import { isImage, readImages } from "./images.ts";
import type { ComposerHandle } from "./link.ts";
import { MentionMenu, useMentionSource } from "./mention-menu.tsx";
import type { RunCommand } from "./panel-commands.ts";
import { SlashMenu, useSlashSource } from "./slash-menu.tsx";
import { typeOver, without } from "./typing.ts";
import { useMenu } from "./use-menu.ts";

const Chips = onDemand(() => import("./chips.tsx"));

export interface WriterHandle extends ComposerHandle {
  /** Replaces the text; the user cannot undo this. */
  edit(text: string, cursor: number): void;
  /** Replaces the text with one that the user wrote before, whose last word is not being typed. */
  recall(text: string): void;
  closeMenus(): void;
  /** Start and end, in UTF-16 units. */
  readonly selection: [number, number];
}

interface WriterProps {
  ref: Ref<WriterHandle>;
  text: string;
  setText(text: string): void;
  images: readonly DraftAttachment[];
  setImages: Dispatch<SetStateAction<readonly DraftAttachment[]>>;
  /** The initial selection. */
  selection: [number, number];
  testId: string;
  label: string;
  placeholder?: string;
  submit(): void;
  /** Carries out the panel's own commands. */
  run?: RunCommand;
  /** Keys that neither a menu nor an input method handled. */
  onKey(event: KeyboardEvent): void;
  onSelect?(): void;
  /** The first chip; null: none. */
  firstChip?: ReactNode;
  /** Buttons beside those that add something. */
  children: ReactNode;
}

export function Writer(props: WriterProps) {
  const { text, images, setImages } = props;
  const { t, actions } = usePanel();
  /** Why dropped or attached content cannot be used, shown until the user types or sends; "": nothing was refused. */
  const [refusal, setRefusal] = useState("");
  const submit = () => {
    setRefusal("");
    props.submit();
  };
  /** Cursor position after the last change of the text. */
  const [changedAt, setChangedAt] = useState(-1);
  const root = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  /** The selection to set once a text set by the program is on the page. */
  const wanted = useRef<[number, number] | null>(props.selection);
  /** The whole page lost the focus while a menu was open; the menu reopens when the focus returns. */
  const hadOpenMenu = useRef(false);

  const edit = (next: string, cursor: number) => {
    wanted.current = [cursor, cursor];
    props.setText(next);
    setChangedAt(cursor);
  };
  /** A change that the user can undo if the text field has the focus. */
  const change = (next: string, cursor: number) => {
    if (typeOver(box.current, next, cursor)) look(next, cursor, true);
    else edit(next, cursor);
  };
  const send = () => latest.current.submit();
  const mentions = useMenu(useMentionSource(), text, change, send);
  const slashSource = useSlashSource(props.run);
  const commands = useMenu(slashSource, text, change, send);
  const menu = commands.open ? commands : mentions;
  const lookMention = mentions.look;
  const lookCommand = commands.look;
  /** Opens, updates or closes the completion of the word at the cursor. */
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
  const dismissMenus = (text: string) => {
    mentions.dismiss(text, text.length);
    commands.dismiss(text, text.length);
  };
  const latest = useRef({ text, edit, change, submit, closeMenus, dismissMenus });
  latest.current = { text, edit, change, submit, closeMenus, dismissMenus };

  useLayoutEffect(() => {
    // Also when the text is unchanged: the cursor may have to move.
    if (box.current && wanted.current && box.current.value === text) {
      box.current.setSelectionRange(...wanted.current);
      look(text, box.current.selectionEnd, box.current === document.activeElement);
    }
    wanted.current = null;
  }, [text, look]);

  const [handle] = useState(
    (): WriterHandle => ({
      insert(addition, added = []) {
        setImages((since) => [...since, ...added]);
        if (addition === "") return;
        const { text, change } = latest.current;
        const from = box.current?.selectionStart ?? text.length;
        const to = box.current?.selectionEnd ?? text.length;
        const before = from > 0 && !/\s$/.test(text.slice(0, from)) ? " " : "";
        const after = /^\s/.test(text.slice(to)) ? "" : " ";
        const head = text.slice(0, from) + before + addition + after;
        change(head + text.slice(to), head.length);
      },
      fill(draft) {
        box.current?.focus();
        latest.current.edit(draft, draft.length);
      },
      replace(draft) {
        if (draft !== latest.current.text) latest.current.edit(draft, draft.length);
      },
      focus: () => box.current?.focus(),
      edit: (text, cursor) => latest.current.edit(text, cursor),
      recall(text) {
        latest.current.dismissMenus(text);
        latest.current.edit(text, text.length);
      },
      closeMenus: () => latest.current.closeMenus(),
      get selection() {
        return [box.current?.selectionStart ?? 0, box.current?.selectionEnd ?? 0] as [number, number];
      },
    }),
  );
  useImperativeHandle(props.ref, () => handle, [handle]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (isClaimedKey(event)) return;
    if (mentions.onKey(event) || commands.onKey(event)) event.preventDefault();
    else if (event.key === "Enter" && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      submit();
    } else props.onKey(event);
  };
  const attach = async (files: Iterable<File>) => {
    const all = [...files];
    const others = all.filter((file) => !isImage(file));
    const { images, problems } = await readImages(all.filter(isImage), t);
    setImages((since) => [...since, ...images]);
    setRefusal(problems.join(" "));
    if (others.length === 0) return;
    const { giveFiles } = await import("./given-files.ts");
    addMentions(await giveFiles(others, actions, t), problems);
  };
  const onPaste = (event: ClipboardEvent) => {
    const { files, types } = event.clipboardData;
    // Other programs copy a picture beside the text that is meant.
    const pasted = types.includes("text/plain") ? [...files].filter(isImage) : [...files];
    if (pasted.length === 0) return;
    event.preventDefault();
    void attach(pasted);
  };
  const addMentions = (answer: Result<"files/mention"> | undefined, before: readonly string[] = []) => {
    if (!answer) return;
    if (answer.mentions.length > 0) handle.insert(answer.mentions.join(" "));
    handle.focus();
    setRefusal([...before, ...answer.problems].join(" "));
  };
  const mentionUris = async (uris: string[]) => addMentions(await actions.ask("files/mention", { uris }));
  const chooseFiles = async () => {
    const answer = await actions.askAway("files/choose", {});
    if (answer) setImages((since) => [...since, ...answer.images]);
    addMentions(answer);
  };
  const removeMention = ({ start, end }: Mention) => {
    box.current?.focus();
    change(without(text, start, end), start);
  };
  /** As if the user had typed the character that opens the menu. */
  const beginMention = () => {
    box.current?.focus();
    const at = box.current?.selectionEnd ?? text.length;
    const sign = at > 0 && !/\s$/.test(text.slice(0, at)) ? " @" : "@";
    change(text.slice(0, at) + sign + text.slice(at), at + sign.length);
  };

  return (
    <div className="composer" ref={root}>
      <MentionMenu menu={mentions} />
      <SlashMenu menu={commands} source={slashSource} />
      <DropZone
        root={root}
        attach={(files) => void attach(files)}
        mention={(uris) => void mentionUris(uris)}
      />
      <div className="composer-box">
        {props.firstChip || images.length > 0 || text.includes("@") ? (
          <Chips
            text={text}
            cursor={changedAt}
            images={images}
            first={props.firstChip}
            removeMention={removeMention}
            removeImage={(index) => {
              box.current?.focus();
              setImages(images.filter((_, i) => i !== index));
            }}
          />
        ) : null}
        {refusal === "" ? null : (
          <p className="detail composer-refusal" role="alert" data-testid="refusal">
            <Visible text={refusal} />
          </p>
        )}
        <PlainArea
          ref={box}
          className="composer-text"
          testId={props.testId}
          rows={2}
          value={text}
          placeholder={props.placeholder}
          aria-label={props.label}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={menu.open ? menu.listId : undefined}
          aria-activedescendant={menu.open ? menu.activeId : undefined}
          onChange={(event) => {
            props.setText(event.target.value);
            setRefusal("");
            setChangedAt(event.target.selectionEnd);
            look(event.target.value, event.target.selectionEnd, true);
          }}
          onSelect={(event) => {
            look(event.currentTarget.value, event.currentTarget.selectionEnd, true);
            props.onSelect?.();
          }}
          onBlur={({ currentTarget }) => {
            hadOpenMenu.current =
              document.activeElement === currentTarget && (mentions.drafting || commands.drafting);
            closeMenus();
          }}
          onFocus={({ currentTarget }) => {
            if (hadOpenMenu.current) look(currentTarget.value, currentTarget.selectionEnd, true);
            hadOpenMenu.current = false;
          }}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        <div className="composer-buttons">
          <span className="composer-add">
            <IconButton
              label={t("Mention a file, the terminal, a commit…")}
              testId="mention"
              onPress={beginMention}
            >
              <Icon name="at" />
            </IconButton>
            <IconButton label={t("Attach files")} testId="attach" onPress={() => void chooseFiles()}>
              <Icon name="attach" />
            </IconButton>
          </span>
          {props.children}
        </div>
      </div>
    </div>
  );
}
