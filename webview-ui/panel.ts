/** The context shared by all components. Its value is created once and never changes, so it never causes a render. */
import { createContext, useContext } from "react";
import { shownModel } from "../src/shared/models/connection.ts";
import type { ChatView } from "../src/shared/view/reducer.ts";
import type { Translate } from "../src/shared/words/task-words.ts";
import type { Actions } from "./actions.ts";
import type { ComposerLink } from "./composer/link.ts";
import type { PersistedPanel } from "./host.ts";
import { type PanelState, type PanelStore, useStore } from "./store.ts";

export interface Panel {
  t: Translate;
  /** The user's language, as a BCP 47 tag, for dates and numbers. */
  language: string;
  store: PanelStore;
  actions: Actions;
  kept: PersistedPanel;
  composer: ComposerLink;
  /** Fires when the listed rules may be out of date. */
  rulesChanged: Signal;
  /** Fires when the list of models is to be opened. */
  modelsShown: Signal;
  /** Fires when the list of permission levels is to be opened. */
  permissionShown: Signal;
  /** Fires when the list is to be opened for a model that answers once. */
  modelAsked: Signal;
  /** Fires when the listed MCP servers may be out of date. */
  serversChanged: Signal;
}

const PanelContext = createContext<Panel | null>(null);
export const PanelProvider = PanelContext.Provider;

export function usePanel(): Panel {
  const panel = useContext(PanelContext);
  if (!panel) throw new Error("the panel's parts need a PanelProvider above them");
  return panel;
}

export function usePanelState<T>(select: (state: PanelState) => T): T {
  return useStore(usePanel().store, select);
}

export function useView<T>(select: (view: ChatView) => T): T {
  return usePanelState((state) => select(state.view));
}

/** The name of the model that answers the next message; "": none is chosen. */
export function useModel(): string {
  const setup = usePanelState((state) => state.setup);
  const mode = useView((view) => view.mode);
  const chosen = useView((view) => view.chosen);
  return setup ? shownModel(setup.models, mode, chosen) : "";
}

/** Notifies listeners that something happened, without any data. */
export class Signal {
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  fire(): void {
    for (const listener of this.#listeners) listener();
  }
}
