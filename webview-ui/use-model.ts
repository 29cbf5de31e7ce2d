import { shownModel } from "../src/shared/models/connection.ts";
import { usePanelState, useView } from "./panel.ts";

/** The name of the model that answers the next message; "": none is chosen. */
export function useModel(): string {
  const setup = usePanelState((state) => state.setup);
  const mode = useView((view) => view.mode);
  const chosen = useView((view) => view.chosen);
  return setup ? shownModel(setup.models, mode, chosen) : "";
}
