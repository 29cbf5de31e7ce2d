import { isWorking } from "../../src/shared/view/session-item.ts";
import { usePanelState, useView } from "../panel.ts";

/** Whether a turn of the session is under way. `id`: absent for the active session. */
export function useIsWorking(id?: string): boolean {
  const isShown = useView((view) => id === undefined || view.session?.id === id);
  const shownWorks = useView((view) => view.status !== "idle");
  const otherWorks = usePanelState(({ sessions }) =>
    sessions.some((item) => item.id === id && isWorking(item)),
  );
  return isShown ? shownWorks : otherWorks;
}
