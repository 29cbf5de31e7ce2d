/** The colors of diagrams, from the theme of the editor, and when they change. */
import { useSyncExternalStore } from "react";

export interface DiagramTheme {
  isDark: boolean;
  background: string;
  text: string;
  line: string;
  /** The surface of boxes, its border, and the border of emphasized ones. */
  box: string;
  border: string;
  accent: string;
  note: string;
  error: string;
  /** Distinguishable fills, on all of which `text` is readable. */
  fills: readonly string[];
  /** The same colors at full strength, for lines. */
  strokes: readonly string[];
  font: string;
}

const CHART_COLORS = ["blue", "orange", "green", "purple", "yellow", "red"] as const;
/** For themes that define no chart colors. */
const DEFAULT_CHARTS: Readonly<Record<(typeof CHART_COLORS)[number], string>> = {
  blue: "#3794ff",
  orange: "#d18616",
  green: "#89d185",
  purple: "#b180d7",
  yellow: "#cca700",
  red: "#f14c4c",
};
/** Share of a chart's color in a fill: text in the foreground color stays readable on it. */
const FILL_SHARES = [0.35, 0.2] as const;

/** Reads the colors of the page as they are now. */
export function readTheme(): DiagramTheme {
  const style = getComputedStyle(document.documentElement);
  const named = (name: string) => style.getPropertyValue(`--vscode-${name}`).trim();
  const mix = colorMixer();
  const isDark = !/vscode-(?:high-contrast-)?light/.test(document.body.className);
  const base = isDark ? "#1f1f1f" : "#ffffff";
  const background = mix(named("sideBar-background") || named("editor-background"), base);
  const text = mix(named("foreground") || (isDark ? "#cccccc" : "#3b3b3b"), background);
  const contrast = named("contrastBorder");
  const strokes = CHART_COLORS.map((name) =>
    mix(named(`charts-${name}`) || DEFAULT_CHARTS[name], background),
  );
  return {
    isDark,
    background,
    text,
    line: mix(named("descriptionForeground") || text, background),
    box: mix(named("editorWidget-background") || background, background),
    border: mix(
      contrast || named("editorWidget-border") || named("descriptionForeground") || text,
      background,
    ),
    accent: mix(contrast || named("focusBorder") || text, background),
    note: mix(named("textBlockQuote-background") || background, background),
    error: mix(named("errorForeground") || "#f14c4c", background),
    fills: FILL_SHARES.flatMap((share) => strokes.map((color) => mix(color, background, share))),
    strokes,
    font: named("font-family") || "sans-serif",
  };
}

/**
 * Mixes any CSS color with the one under it to an opaque one. Libraries compute with colors but do not know all CSS
 * notations.
 */
function colorMixer(): (color: string, over: string, share?: number) => string {
  const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("the browser has no canvas");
  return (color, over, share = 1) => {
    context.globalAlpha = 1;
    context.fillStyle = over;
    context.fillRect(0, 0, 1, 1);
    context.globalAlpha = share;
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
    return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
  };
}

const listeners = new Set<() => void>();
let current: { key: string; theme: DiagramTheme } | null = null;

function changed(): void {
  const theme = readTheme();
  const key = JSON.stringify(theme);
  if (key === current?.key) return;
  current = { key, theme };
  for (const listener of listeners) listener();
}

/** VS Code sets the classes of the body and the variables of the root when the theme changes. */
const observer = new MutationObserver(changed);

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    for (const element of [document.documentElement, document.body]) {
      observer.observe(element, {
        attributes: true,
        attributeFilter: ["class", "style", "data-vscode-theme-id"],
      });
    }
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) observer.disconnect();
  };
}

/** The theme, the same object until a color changes. */
export function useDiagramTheme(): DiagramTheme {
  return useSyncExternalStore(subscribe, () => {
    if (!current || listeners.size === 0) {
      const theme = readTheme();
      const key = JSON.stringify(theme);
      if (key !== current?.key) current = { key, theme };
    }
    return current.theme;
  });
}
