/** The accessible elements of a page with their positions, from the browser's accessibility tree and layout. */

import type { PageElement, PageState } from "../../core/ports/browser.ts";
import type { CDPSession, Protocol } from "./puppeteer.ts";

const MAX_ELEMENTS = 120;
/** Frames whose elements are listed. */
const MAX_FRAMES = 6;

/** Roles that a user acts on or orients by; texts and groups are in the screenshot and in the page's text. */
const ROLES: ReadonlySet<string> = new Set([
  ...[
    "button",
    "link",
    "textbox",
    "searchbox",
    "combobox",
    "listbox",
    "option",
    "checkbox",
    "radio",
    "switch",
  ],
  ...[
    "slider",
    "spinbutton",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "tab",
    "treeitem",
    "DisclosureTriangle",
  ],
  ...[
    "heading",
    "image",
    "img",
    "alert",
    "alertdialog",
    "dialog",
    "status",
    "progressbar",
    "Date",
    "DateTime",
  ],
  ...[
    "ColorWell",
    "InputTime",
    "PopUpButton",
    "MenuListPopup",
    "ToggleButton",
    "Iframe",
    "Video",
    "Audio",
    "Canvas",
  ],
]);
const NAMED_ONLY: ReadonlySet<string> = new Set(["image", "img", "status", "Iframe"]);

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Boxes by backend node id, relative to the viewport, of one document. */
interface Layout {
  frameId: string;
  boxes: ReadonlyMap<number, Box>;
  /** Nodes that react to clicks. */
  clickable: ReadonlySet<number>;
}

export async function elementsOf(
  session: CDPSession,
  viewport: { width: number; height: number },
): Promise<Pick<PageState, "elements" | "more">> {
  const snapshot = await session.send("DOMSnapshot.captureSnapshot", { computedStyles: [] });
  const elements: PageElement[] = [];
  const more = { inView: 0, above: 0, below: 0 };
  for (const layout of layoutsOf(snapshot).slice(0, MAX_FRAMES)) {
    const { nodes } = await session.send("Accessibility.getFullAXTree", { frameId: layout.frameId });
    for (const node of nodes) {
      const element = elementOf(node, layout);
      if (!element) continue;
      const { box, ...described } = element;
      const seen = visiblePart(box, viewport);
      if (seen && elements.length < MAX_ELEMENTS) elements.push({ ...described, ...centerOf(seen) });
      else if (seen) more.inView += 1;
      else if (box.y + box.height <= 0) more.above += 1;
      else if (box.y >= viewport.height) more.below += 1;
    }
  }
  return { elements, more };
}

function elementOf(
  node: Protocol.Accessibility.AXNode,
  { boxes, clickable }: Layout,
): (Omit<PageElement, "x" | "y"> & { box: Box }) | undefined {
  const id = node.backendDOMNodeId;
  const box = id === undefined ? undefined : boxes.get(id);
  if (node.ignored || id === undefined || !box) return undefined;
  const role = textOf(node.role);
  const name = textOf(node.name);
  const isClickable = clickable.has(id) && (role === "generic" || role === "StaticText") && name !== "";
  if (!ROLES.has(role) && !isClickable) return undefined;
  if (NAMED_ONLY.has(role) && name === "") return undefined;
  const value = textOf(node.value);
  return {
    role: isClickable ? "clickable" : role,
    name,
    ...(value === "" ? {} : { value }),
    states: statesOf(node),
    box,
  };
}

function statesOf({ properties = [] }: Protocol.Accessibility.AXNode): string[] {
  return properties.flatMap(({ name, value: { value } }) => {
    switch (name) {
      case "level":
        return [`level ${String(value)}`];
      case "checked":
      case "pressed":
        return value === "true" || value === true ? [name] : value === "mixed" ? [`${name}: mixed`] : [];
      case "expanded":
        return [value === true ? "expanded" : "collapsed"];
      case "invalid":
        return value === "false" || value === false ? [] : ["invalid"];
      case "disabled":
      case "focused":
      case "selected":
      case "required":
      case "readonly":
        return value === true || value === "true" ? [name] : [];
      default:
        return [];
    }
  });
}

function textOf(value: Protocol.Accessibility.AXValue | undefined): string {
  return value?.value === undefined ? "" : String(value.value).replace(/\s+/g, " ").trim();
}

/** The documents of one process: the page, then its frames at their places. */
function layoutsOf({ documents, strings }: Protocol.DOMSnapshot.CaptureSnapshotResponse): Layout[] {
  const layouts: Layout[] = [];
  const add = (index: number, origin: { x: number; y: number }) => {
    const document = documents[index];
    if (!document || layouts.length > documents.length) return;
    const { nodes, layout } = document;
    const at = {
      x: origin.x - (document.scrollOffsetX ?? 0),
      y: origin.y - (document.scrollOffsetY ?? 0),
    };
    const boxes = new Map<number, Box>();
    const byNode = new Map<number, Box>();
    layout.nodeIndex.forEach((node, position) => {
      const [x = 0, y = 0, width = 0, height = 0] = layout.bounds[position] ?? [];
      const box = { x: x + at.x, y: y + at.y, width, height };
      const id = nodes.backendNodeId?.[node];
      if (id !== undefined) boxes.set(id, box);
      byNode.set(node, box);
    });
    const clickable = (nodes.isClickable?.index ?? []).flatMap((node) => nodes.backendNodeId?.[node] ?? []);
    layouts.push({ frameId: strings[document.frameId] ?? "", boxes, clickable: new Set(clickable) });
    nodes.contentDocumentIndex?.index.forEach((node, position) => {
      const frame = byNode.get(node);
      const inner = nodes.contentDocumentIndex?.value[position];
      if (frame && inner !== undefined) add(inner, frame);
    });
  };
  add(0, { x: 0, y: 0 });
  return layouts;
}

function visiblePart(
  { x, y, width, height }: Box,
  viewport: { width: number; height: number },
): Box | undefined {
  const left = Math.max(0, x);
  const top = Math.max(0, y);
  const right = Math.min(viewport.width, x + width);
  const bottom = Math.min(viewport.height, y + height);
  return right - left >= 1 && bottom - top >= 1
    ? { x: left, y: top, width: right - left, height: bottom - top }
    : undefined;
}

function centerOf({ x, y, width, height }: Box): { x: number; y: number } {
  return { x: Math.floor(x + width / 2), y: Math.floor(y + height / 2) };
}
