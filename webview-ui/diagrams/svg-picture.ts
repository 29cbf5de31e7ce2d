/** A drawing as a picture. A picture's scripts, links and addresses are inert, whatever a diagram's text contains. */

export interface SvgPicture {
  /** A complete SVG document. */
  svg: string;
  /** The same as a data URL. */
  url: string;
  /** In CSS pixels. */
  width: number;
  height: number;
  /** The title that the diagram gives itself, or else its kind in Mermaid's words. */
  about: string;
}

/** Elements that run or load something. They are inert in a picture, but the user can open a copy of it in a browser. */
const RUNNING = "script, iframe, object, embed, audio, video, image, use[href^='http']";

/** `drawn`: the element that the library wrote into the page. Throws an Error when it has no size. */
export function pictureOf(drawn: SVGSVGElement, kind: string): SvgPicture {
  const svg = drawn.cloneNode(true);
  if (!(svg instanceof SVGSVGElement)) throw new Error("the copy of a picture is none");
  for (const element of svg.querySelectorAll(RUNNING)) element.remove();
  for (const element of svg.querySelectorAll("*")) {
    for (const { name, value } of [...element.attributes]) {
      const isOutside = /^(xlink:)?href$/.test(name) && !value.startsWith("#");
      if (name.startsWith("on") || isOutside) element.removeAttribute(name);
    }
  }
  decodeLabels(svg);
  const [, , width = 0, height = 0] = (svg.getAttribute("viewBox") ?? "").split(/[\s,]+/).map(Number);
  if (!(width > 0 && height > 0)) throw new Error("the diagram has no size");
  svg.setAttribute("width", String(Math.ceil(width)));
  svg.setAttribute("height", String(Math.ceil(height)));
  const title = svg.querySelector(":scope > title")?.textContent?.trim();
  const complete = new XMLSerializer().serializeToString(svg);
  return {
    svg: complete,
    url: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(complete)}`,
    width,
    height,
    about: title || kind,
  };
}

/** Mermaid writes `#35;` and `#quot;` of a label as `ﬂ°°35¶ß` and `ﬂ°quot¶ß` while it draws. */
const ENTITY = /ﬂ°(°?)(\w+)¶ß/g;

function decodeLabels(svg: SVGSVGElement): void {
  const walker = document.createTreeWalker(svg, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    node.nodeValue = (node.nodeValue ?? "").replace(ENTITY, (_, isNumber: string, name: string) => {
      const parsed = new DOMParser().parseFromString(`&${isNumber ? "#" : ""}${name};`, "text/html");
      return parsed.body.textContent ?? "";
    });
  }
}

/** Pixels of the picture for each CSS pixel, so that it is sharp where it is pasted. */
const SCALE = 2;
/** Maximum width and height of a copied picture. */
const MAX_SIDE = 8_000;

export async function pngOf(picture: SvgPicture, background: string): Promise<Blob> {
  const image = new Image();
  image.src = picture.url;
  await image.decode();
  const scale = Math.min(SCALE, MAX_SIDE / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(picture.width * scale);
  canvas.height = Math.ceil(picture.height * scale);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("the browser has no canvas");
  context.fillStyle = background;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture cannot be encoded"))));
  });
}
