import { nameParts } from "../../src/shared/models/connection.ts";
import { useModel, usePanelState } from "../panel.ts";

/** Whether the scripted model of `npm start` answers the next message. */
export function useDemonstration(): boolean {
  const demonstration = usePanelState((state) => state.setup?.demonstration);
  const model = useModel();
  return demonstration !== undefined && nameParts(model).connection === demonstration;
}
