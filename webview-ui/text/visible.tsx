import { visibleSegments } from "./visible.ts";

/** Shows text with its unseen characters written out and set off. */
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
