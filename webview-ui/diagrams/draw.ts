/** Draws diagrams with Mermaid, one at a time, and caches the latest drawings. */
import mermaid from "mermaid";
import { messageOf } from "../../src/shared/message-of.ts";
import { withAllowedStyles } from "./allowed-styles.ts";
import { pictureOf, type SvgPicture } from "./svg-picture.ts";
import type { DiagramTheme } from "./theme.ts";
import { labelStyles, variablesOf } from "./variables.ts";

export type Drawing = ({ kind: "drawn" } & SvgPicture) | { kind: "failed"; reason: string };

/** Maximum number of cached drawings; the oldest are dropped. */
const MAX_CACHED = 60;
/** Maximum characters of a diagram's source. */
const MAX_SOURCE = 50_000;

/** By theme and source. */
const cache = new Map<DiagramTheme, Map<string, Drawing>>();
let queue: Promise<unknown> = Promise.resolve();
let count = 0;

export function drawn(source: string, theme: DiagramTheme): Drawing | undefined {
  return cache.get(theme)?.get(source);
}

/** Also resolves if the source contains errors. */
export function draw(source: string, theme: DiagramTheme): Promise<Drawing> {
  const next = queue.then(async () => {
    const known = drawn(source, theme);
    if (known) return known;
    const drawing = await drawNow(source, theme);
    addToCache(source, theme, drawing);
    return drawing;
  });
  queue = next;
  return next;
}

function addToCache(source: string, theme: DiagramTheme, drawing: Drawing): void {
  // Drawings in the colors of another theme are of no use.
  for (const each of cache.keys()) if (each !== theme) cache.delete(each);
  const drawings = cache.get(theme) ?? new Map<string, Drawing>();
  cache.set(theme, drawings);
  drawings.set(source, drawing);
  for (const oldest of drawings.keys()) {
    if (drawings.size <= MAX_CACHED) break;
    drawings.delete(oldest);
  }
}

/** The settings at the beginning of a source. `secure` does not protect settings that are nested under a kind of diagram. */
const SETTINGS = /^---\n[\s\S]*?\n---|%%\{[\s\S]*?\}%%/g;

const configured = (source: string): string =>
  source.replace(SETTINGS, (settings) => settings.replace(/htmlLabels/g, "refused"));

/**
 * Returns a function that returns the drawing. It must be copied, because Mermaid removes it from `place` before `render`
 * resolves.
 */
function copyBeforeRemoval(place: HTMLElement): () => SVGSVGElement {
  let last: SVGSVGElement | null = null;
  const collect = (records: readonly MutationRecord[]) => {
    for (const node of records.flatMap(({ removedNodes }) => [...removedNodes])) {
      if (node instanceof Element) last = node.querySelector("svg") ?? last;
    }
  };
  const observer = new MutationObserver(collect);
  observer.observe(place, { childList: true });
  return () => {
    collect(observer.takeRecords());
    observer.disconnect();
    if (!last) throw new Error("Mermaid made no picture.");
    return last;
  };
}

async function drawNow(source: string, theme: DiagramTheme): Promise<Drawing> {
  const place = document.createElement("div");
  place.className = "diagram-place";
  place.ariaHidden = "true";
  document.body.append(place);
  try {
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: "strict",
      suppressErrorRendering: true,
      // Labels are text of the picture, never HTML.
      htmlLabels: false,
      flowchart: { htmlLabels: false },
      maxTextSize: MAX_SOURCE,
      theme: "base",
      fontFamily: theme.font,
      themeVariables: variablesOf(theme),
      themeCSS: labelStyles(theme),
      // Settings that a diagram cannot change. Its colors are those of the editor.
      secure: [
        ...["secure", "securityLevel", "startOnLoad", "maxTextSize", "suppressErrorRendering", "maxEdges"],
        ...["htmlLabels", "theme", "themeCSS", "themeVariables", "darkMode", "fontFamily", "dompurifyConfig"],
      ],
    });
    return await withAllowedStyles(async () => {
      const copied = copyBeforeRemoval(place);
      const { diagramType } = await mermaid.render(`nekode-diagram-${++count}`, configured(source), place);
      return { kind: "drawn", ...pictureOf(copied(), diagramType) };
    });
  } catch (error) {
    // Further lines contain a drawing in characters and terms of the grammar, which do not help the user.
    const [reason = ""] = messageOf(error).split("\n");
    return { kind: "failed", reason: reason.replace(/:$/, "") };
  } finally {
    place.remove();
  }
}
