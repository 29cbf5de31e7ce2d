/** A diagram drawn from its source, in the colors of the theme. A chunk of its own, loaded with the first diagram. */
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { CopyButton, ToolButton } from "../markdown/tool-button.tsx";
import { usePanel } from "../panel.ts";
import styles from "../styles/diagrams.css?text";
import { adoptStyles } from "../toolkit/adopt.ts";
import { type Drawing, draw, drawn } from "./draw.ts";
import { pngOf } from "./svg-picture.ts";
import { type DiagramTheme, useDiagramTheme } from "./theme.ts";
import { useZoom } from "./use-zoom.ts";

adoptStyles(styles);

export interface DiagramProps {
  source: string;
  /** The source as a code block. */
  children: ReactNode;
}

export default function Diagram({ source, children }: DiagramProps) {
  const { t } = usePanel();
  const figure = useRef<HTMLElement>(null);
  const theme = useDiagramTheme();
  const drawing = useDrawing(source, theme, figure);
  const [showsSource, setShowsSource] = useState(false);
  const isDrawn = drawing?.kind === "drawn";
  return (
    <figure
      ref={figure}
      className="diagram"
      data-testid="diagram"
      data-state={drawing?.kind ?? "drawing"}
      aria-busy={drawing === undefined}
    >
      {isDrawn && !showsSource ? <Drawn drawing={drawing} theme={theme} /> : children}
      {drawing?.kind === "failed" ? (
        <figcaption className="diagram-problem">
          {t("This diagram cannot be drawn: {0}", drawing.reason)}
        </figcaption>
      ) : null}
      {isDrawn ? (
        <div className="diagram-switch">
          <ToolButton
            icon="source"
            label={t("Show source")}
            pressed={showsSource}
            testId="diagram-source"
            onPress={() => setShowsSource(!showsSource)}
          />
        </div>
      ) : null}
    </figure>
  );
}

/**
 * The drawing in the colors of `theme`, or the previous drawing until it is ready; undefined: nothing has been drawn yet. Drawing
 * starts when the diagram comes near the visible part of the conversation.
 */
function useDrawing(
  source: string,
  theme: DiagramTheme,
  figure: RefObject<HTMLElement | null>,
): Drawing | undefined {
  const [state, setState] = useState<{ source: string; drawing: Drawing }>();
  const isNear = useNear(figure);
  const known = drawn(source, theme);
  useEffect(() => {
    if (!isNear) return;
    let gone = false;
    void draw(source, theme).then((drawing) => {
      if (!gone) setState({ source, drawing });
    });
    return () => {
      gone = true;
    };
  }, [isNear, source, theme]);
  return known ?? (state?.source === source ? state.drawing : undefined);
}

/** How far outside the visible part of the conversation diagrams are drawn in advance. */
const MARGIN = "600px";

function useNear(element: RefObject<Element | null>): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (isNear || !element.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { scrollMargin: MARGIN },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, isNear]);
  return isNear;
}

function Drawn({ drawing, theme }: { drawing: Drawing & { kind: "drawn" }; theme: DiagramTheme }) {
  const { t } = usePanel();
  const { view, zoom, zoomIn, zoomOut, fit, onKeyDown } = useZoom();
  const { width, height } = drawing;
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
      <div
        ref={view}
        className="diagram-view"
        role="group"
        aria-label={t("Diagram")}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <img
          src={drawing.url}
          alt={t("Diagram: {0}", drawing.about)}
          draggable={false}
          style={{ width: `calc(min(100%, ${width}px) * ${zoom})`, aspectRatio: `${width} / ${height}` }}
        />
      </div>
      <div className="diagram-tools">
        <ToolButton icon="remove" label={t("Zoom out")} testId="diagram-zoom-out" onPress={zoomOut} />
        <ToolButton icon="add" label={t("Zoom in")} testId="diagram-zoom-in" onPress={zoomIn} />
        <ToolButton icon="fit" label={t("Fit to width")} testId="diagram-fit" onPress={fit} />
        <CopyButton
          icon="svg"
          label={t("Copy as SVG")}
          copy={() => navigator.clipboard.writeText(drawing.svg)}
        />
        <CopyButton
          icon="image"
          label={t("Copy as PNG")}
          copy={() => {
            const png = pngOf(drawing, theme.background);
            return navigator.clipboard.write([new ClipboardItem({ "image/png": png })]);
          }}
        />
      </div>
    </>
  );
}
