/** Messages that the host has not acknowledged. Each is shown as sent immediately, even before the host is ready. */
import { usePanel, usePanelState } from "../panel.ts";
import { hasArrived } from "./draft.ts";

export default function SendingList() {
  const { t } = usePanel();
  const view = usePanelState((state) => state.view);
  const sending = usePanelState((state) => state.sending);
  const shown = sending.filter((message) => !hasArrived(view, message));
  return (
    <ul className="sending" aria-label={t("Messages being sent")}>
      {shown.map(({ text, images }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same message may be sent twice
        <li key={index} className="user" data-testid="sending">
          {text}
          {images > 0 ? <div className="detail">{t("Images: {0}", images)}</div> : null}
        </li>
      ))}
    </ul>
  );
}
