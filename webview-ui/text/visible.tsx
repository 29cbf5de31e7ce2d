import { visibleSegments } from "../../src/shared/visible.ts";

/** Shows text with its invisible characters written out and highlighted. */
export function Visible({ text }: { text: string }) {
  return visibleSegments(text).map((segment, index) =>
    segment.hidden ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one string have no other identity
      <span key={index} className="hidden-character">
        {segment.text}
      </span>
    ) : (
      segment.text
    ),
  );
}
