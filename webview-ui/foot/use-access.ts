import { type AccessSettings, LEVEL_ACCESS } from "../../src/shared/permission/levels.ts";
import { accessOf } from "../../src/shared/permission/session-permission.ts";
import { usePanelState, useView } from "../panel.ts";

/** What runs without asking in the active session. */
export function useAccess(): AccessSettings {
  const general = usePanelState((state) => state.setup?.access);
  const permission = useView((view) => view.permission);
  return accessOf(general ?? LEVEL_ACCESS.ask, permission);
}
