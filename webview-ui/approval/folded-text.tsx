import { useState } from "react";
import { type FoldedPiece, foldBlankLines, foldText } from "../../src/shared/text/folded-text.ts";
import { usePanel } from "../panel.ts";
import { Visible } from "../text/visible.tsx";

/**
 * Shows the text with its invisible characters written out. Its beginning and its end are always visible, however long the text
 * is.
 */
export function FoldedText({ text }: { text: string }) {
  const [open, setOpen] = useState(false);
  const pieces = open ? foldBlankLines(text) : foldText(text);
  return pieces.map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one string have no other identity
    <Piece key={index} piece={piece} onOpen={() => setOpen(true)} />
  ));
}

/** Keeps an option of a command on one line, because a hyphen at the end of a line looks like hyphenation. */
const OPTION = /(?<=^|\s)(--?[\w-]{1,30})(?![\w-])/;

function Unbroken({ text }: { text: string }) {
  return text.split(OPTION).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one string have no other identity
    <span key={index} className={index % 2 === 1 ? "unbroken" : undefined}>
      <Visible text={part} />
    </span>
  ));
}

function Piece({ piece, onOpen }: { piece: FoldedPiece; onOpen(): void }) {
  const { t } = usePanel();
  switch (piece.kind) {
    case "text":
      return <Unbroken text={piece.text} />;
    case "blank":
      return <span className="folded">{t("… {0} blank lines", piece.lines)}</span>;
    case "middle":
      return (
        <button type="button" className="link folded" onClick={onOpen}>
          {piece.lines > 0
            ? t("Show {0} more lines", piece.lines)
            : t("Show {0} more characters", piece.characters)}
        </button>
      );
  }
}
