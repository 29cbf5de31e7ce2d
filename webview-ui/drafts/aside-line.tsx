/** A line that offers the draft of an earlier page while the composer contains something else. */
import { usePanel } from "../panel.ts";
import { IconButton } from "../toolkit/button.tsx";
import { Icon } from "../toolkit/icon.tsx";
import type { UnsentDraft } from "./draft.ts";

interface AsideLineProps {
  aside: UnsentDraft;
  restore(): void;
  drop(): void;
}

export default function AsideLine({ aside, restore, drop }: AsideLineProps) {
  const { t } = usePanel();
  return (
    <div className="aside-draft" role="status" data-testid="aside-draft">
      <button type="button" className="aside-text" title={aside.text} onClick={restore}>
        {t("Restore unsent message: {0}", aside.text.trim().split("\n", 1)[0] ?? "")}
      </button>
      <IconButton label={t("Discard unsent message")} onPress={drop}>
        <Icon name="close" />
      </IconButton>
    </div>
  );
}
