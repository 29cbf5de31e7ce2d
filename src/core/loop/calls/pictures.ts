/** Describes the images of a result for its row, which requests their bytes only when it is on screen. */
import type { ResultPart, ShownResult } from "../../../shared/message.ts";
import { imageSize } from "../../image-facts.ts";

/** `shown` with an entry for each image of the result, in order. What the tool says about an image applies. */
export function withPictures(
  parts: readonly ResultPart[],
  shown: ShownResult | undefined,
): ShownResult | undefined {
  const images = parts.filter((part) => part.type === "image");
  if (images.length === 0) return shown;
  const pictures = images.map(({ data }, index) => ({ ...imageSize(data), ...shown?.pictures?.[index] }));
  return { ...shown, pictures };
}
