/** Describes the images of a result for its row, which requests their bytes only when it is on screen. */
import type { ShownResult } from "../../../shared/message.ts";
import { imageSize } from "../../image-facts.ts";
import type { ToolOutput } from "../../tools/tool.ts";

/** `shown` with an entry for each image of the result, in order. What the tool says about an image applies. */
export function shownWithPictures({ parts, pictures: own = [], shown }: ToolOutput): ShownResult | undefined {
  const images = [...parts.filter((part) => part.type === "image"), ...own];
  if (images.length === 0) return shown;
  const pictures = images.map(({ data }, index) => ({ ...imageSize(data), ...shown?.pictures?.[index] }));
  return { ...shown, pictures };
}
