/** A short form of a change: its path and its line counts. */
import { Fragment } from "react";
import { usePanel } from "../../panel.ts";
import { Visible } from "../../text/visible.tsx";

/** Allows line breaks after the slashes of a path. */
export function Breakable({ text }: { text: string }) {
  return text.split(/(?<=\/)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one string have no other identity
    <Fragment key={index}>
      <Visible text={part} />
      <wbr />
    </Fragment>
  ));
}

/** How many lines a change adds and removes. */
export function Changes(props: { added: number | undefined; removed: number | undefined }) {
  const { t } = usePanel();
  const { added = 0, removed = 0 } = props;
  if (added === 0 && removed === 0) return null;
  return (
    <span className="changes">
      <span className="only-heard">{t("Lines added: {0}, removed: {1}", added, removed)}</span>
      <span aria-hidden="true" className="added">
        +{added}
      </span>
      <span aria-hidden="true" className="removed">
        −{removed}
      </span>
    </span>
  );
}
