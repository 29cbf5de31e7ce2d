/**
 * A command's output: its last lines, or all of them when the user asks, in the colors of the terminal, with buttons that copy
 * and wrap.
 */
import Anser, { type AnserJsonEntry } from "anser";
import {
  type CSSProperties,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { terminalText } from "../../src/shared/terminal-output.ts";
import { visible } from "../../src/shared/visible.ts";
import { usePanel } from "../panel.ts";
import { useFold } from "../rows/folds.ts";
import { IconButton } from "../toolkit/button.tsx";
import { Icon } from "../toolkit/icon.tsx";
import { coloredText, hasColors } from "./colored-lines.ts";

/**
 * Number of lines that are shown before the user asks for all. If only one more line exists, it is shown instead of a button.
 */
const FEW_LINES = 10;

export default function OutputBox({ id, raw }: { id: string; raw: string }) {
  const { t } = usePanel();
  const [all, setAll] = useFold(`${id} lines`, false);
  const [wrapped, setWrapped] = useState(true);
  const [copied, setCopied] = useState(false);
  const text = (hasColors(raw) ? coloredText(raw) : terminalText(raw)).trimEnd();
  const lines = text.split("\n");
  const isLong = lines.length > FEW_LINES + 1;
  const folded = !all && isLong;
  // Styles that are set in hidden lines still apply to the visible ones.
  const skipped = folded ? lines.slice(0, -FEW_LINES).join("\n") : "";
  const shown = folded ? lines.slice(-FEW_LINES).join("\n") : text;
  const styles = (skipped.match(/\u001b\[[\d;:]*m/g) ?? []).join("");
  const box = useRef<HTMLPreElement>(null);
  const onScroll = useEnd(box, `${wrapped} ${shown}`);
  const copy = async () => {
    await navigator.clipboard.writeText(terminalText(raw).trimEnd());
    setCopied(true);
  };
  return (
    <div className="output-box" data-testid="output">
      {isLong ? (
        <button
          type="button"
          className="link"
          data-testid="all-lines"
          aria-expanded={all}
          onClick={() => setAll(!all)}
        >
          {all ? t("Show the last {0} lines", FEW_LINES) : t("Show all {0} lines", lines.length)}
        </button>
      ) : null}
      {/* biome-ignore lint/a11y/useSemanticElements: an <output> belongs to a form, and a <section> is a landmark */}
      <pre
        ref={box}
        onScroll={onScroll}
        className={wrapped ? "output" : "output unwrapped"}
        role="group"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        tabIndex={0}
        aria-label={t("Output")}
      >
        {Anser.ansiToJson(styles + shown, { use_classes: true, remove_empty: true }).map((piece, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other identity
          <span key={index} className={classesOf(piece)} style={colorsOf(piece)}>
            {visible(piece.content)}
          </span>
        ))}
      </pre>
      <span className="output-actions">
        <IconButton label={copied ? t("Copied") : t("Copy output")} onPress={() => void copy()}>
          <Icon name={copied ? "check" : "copy"} />
        </IconButton>
        <IconButton
          label={wrapped ? t("Do not wrap lines") : t("Wrap lines")}
          onPress={() => setWrapped(!wrapped)}
        >
          <Icon name="list-unordered" />
        </IconButton>
      </span>
    </div>
  );
}

function classesOf({ fg, bg, decorations }: AnserJsonEntry): string | undefined {
  const names = [
    ...(fg?.startsWith("ansi-") && !/palette|truecolor/.test(fg) ? [fg] : []),
    ...(bg?.startsWith("ansi-") && !/palette|truecolor/.test(bg) ? [`${bg}-bg`] : []),
    ...decorations.map((decoration) => `ansi-${decoration}`),
  ];
  return names.length === 0 ? undefined : names.join(" ");
}

/** Colors that are not among the sixteen of the theme. */
function colorsOf({ fg, bg, fg_truecolor, bg_truecolor }: AnserJsonEntry): CSSProperties | undefined {
  const color = exactColor(fg, fg_truecolor);
  const backgroundColor = exactColor(bg, bg_truecolor);
  if (color === undefined && backgroundColor === undefined) return undefined;
  return { ...(color ? { color } : {}), ...(backgroundColor ? { backgroundColor } : {}) };
}

function exactColor(name: string | null, truecolor: string | null): string | undefined {
  if (name === "ansi-truecolor" && truecolor) return `rgb(${truecolor})`;
  const index = Number(/^ansi-palette-(\d+)$/.exec(name ?? "")?.[1] ?? Number.NaN);
  if (!Number.isInteger(index) || index < 16 || index > 255) return undefined;
  if (index >= 232) {
    const level = 8 + (index - 232) * 10;
    return `rgb(${level}, ${level}, ${level})`;
  }
  const part = (of: number) => (of === 0 ? 0 : 55 + of * 40);
  const at = index - 16;
  return `rgb(${part(Math.floor(at / 36))}, ${part(Math.floor(at / 6) % 6)}, ${part(at % 6)})`;
}

/** Maximum distance in pixels that still counts as the end. */
const NEAR = 8;

/**
 * Keeps a box scrolled to its end while its content changes or wraps differently, until the user scrolls away. Returns the
 * handler for its scroll events.
 */
export function useEnd(box: RefObject<HTMLElement | null>, content: string): () => void {
  const atEnd = useRef(true);
  const toEnd = useCallback(() => {
    const { current } = box;
    if (current && atEnd.current) current.scrollTop = current.scrollHeight;
  }, [box]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other content is in the box
  useLayoutEffect(toEnd, [toEnd, content]);
  useEffect(() => {
    if (!box.current) return;
    const observer = new ResizeObserver(toEnd);
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [box, toEnd]);
  return useCallback(() => {
    const { current } = box;
    if (current) atEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight < NEAR;
  }, [box]);
}
