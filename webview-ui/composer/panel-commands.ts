/** The slash commands that the panel itself carries out. No model receives them. */
import { useCallback } from "react";
import { isPanelCommand, type PanelCommand } from "../../src/shared/words/command-words.ts";
import { usePanel } from "../panel.ts";

/** Carries out what `text` consists of; false if it is no such command. */
export type RunCommand = (text: string) => boolean;

export function useRunCommand(): RunCommand {
  const { actions, store, modelsShown } = usePanel();
  return useCallback(
    (text) => {
      const name = text.trim().replace(/^\//, "");
      if (!text.trim().startsWith("/") || !isPanelCommand(name)) return false;
      const run: Readonly<Record<PanelCommand, () => void>> = {
        help: () => store.show("help"),
        model: () => modelsShown.fire(),
        clear: () => actions.run("chat/new", {}),
      };
      run[name]();
      return true;
    },
    [actions, store, modelsShown],
  );
}
