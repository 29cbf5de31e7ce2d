/** One picture with its mark. Its box has the picture's proportions before the bytes arrive, so that rows do not move. */
import { presentationOf } from "../../src/shared/tool-presentation.ts";
import { callPhrase } from "../../src/shared/words/task-words.ts";
import { usePanel, useView } from "../panel.ts";
import { type ShownPicture, usePictureUrl } from "./pictures-of.ts";

/** Width and height in pixels of a picture whose size is unknown. */
const GUESSED_SIZE = { width: 4, height: 3 };

export function sizeOf({ picture: { width, height } }: ShownPicture): { width: number; height: number } {
  return width === undefined || height === undefined ? GUESSED_SIZE : { width, height };
}

/** A description of the picture. */
export function usePictureText({ row, picture }: ShownPicture): string {
  const { t } = usePanel();
  const presentation = useView((view) => presentationOf(view.faces, row.tool));
  return picture.about ?? callPhrase(t, presentation, row);
}

export function PictureImage({ shown }: { shown: ShownPicture }) {
  const { t } = usePanel();
  const url = usePictureUrl(shown);
  const text = usePictureText(shown);
  const { width, height } = sizeOf(shown);
  const { mark } = shown.picture;
  if (url === null) return <span className="picture-missing">{t("This image is not available.")}</span>;
  return (
    <span
      className="picture-box"
      style={{ aspectRatio: `${width} / ${height}` }}
      aria-busy={url === undefined}
    >
      {url === undefined ? null : <img src={url} alt={text} draggable={false} />}
      {mark && url !== undefined ? (
        <span
          className="picture-mark"
          style={{ left: `${(mark.x / width) * 100}%`, top: `${(mark.y / height) * 100}%` }}
        />
      ) : null}
    </span>
  );
}
