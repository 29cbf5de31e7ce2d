/**
 * The pictures in a call's row, in a small size; selecting one enlarges it. A chunk of its own, loaded with the first picture.
 */
import type { CallRow } from "../../src/shared/view/reducer.ts";
import { usePanel } from "../panel.ts";
import { PictureImage, sizeOf, usePictureText } from "./picture-image.tsx";
import { picturesOf, type ShownPicture } from "./pictures-of.ts";

/** Height in pixels of a small picture. */
const SMALL_HEIGHT = 110;

export default function RowPictures({ row }: { row: CallRow }) {
  return (
    <div className="pictures">
      {picturesOf(row).map((shown) => (
        <SmallPicture key={shown.index} shown={shown} />
      ))}
    </div>
  );
}

function SmallPicture({ shown }: { shown: ShownPicture }) {
  const { t, store } = usePanel();
  const text = usePictureText(shown);
  const { width, height } = sizeOf(shown);
  const { callId, index } = shown;
  return (
    <button
      type="button"
      className="picture"
      data-testid="picture"
      aria-label={t("Enlarge image: {0}", text)}
      title={text}
      style={{ width: `min(100%, ${Math.round((SMALL_HEIGHT * width) / height)}px)` }}
      onClick={() => store.enlarge({ callId, index })}
    >
      <PictureImage shown={shown} />
    </button>
  );
}
