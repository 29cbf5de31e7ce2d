/**
 * Shift+Tab in the message field chooses the next of plan, act and the agents: the one that is shown when Shift is released, as in a
 * switcher of windows.
 *
 * Shift+Tab also moves the focus back, and must not stop doing so for users of the keyboard. It moves the focus while the user moves
 * through the panel with Tab, and after Escape. Any other key in the field, a click and a focus that the panel set end that.
 */
import { type RefObject, useEffect, useRef, useState } from "react";
import { agentListSchema } from "../../src/shared/agent-list.ts";
import type { ChatView } from "../../src/shared/view/reducer.ts";
import { usePanel, useView } from "../panel.ts";

const MODES = ["plan", "act"] as const;
const MODIFIERS: ReadonlySet<string> = new Set(["Control", "Shift", "Alt", "AltGraph", "Meta", "CapsLock"]);

/** The name under which plan, act or the agent is chosen. */
export const chosenName = (view: ChatView): string => view.agent ?? view.mode;

export interface AgentCycle {
  /** The name that was shown last; "": none yet. */
  name: string;
  /** It is not chosen yet. */
  isOpen: boolean;
}

/** `button`: in the composer whose message field it is. */
export function useAgentCycle(button: RefObject<HTMLElement | null>): AgentCycle {
  const { actions, store } = usePanel();
  const [cycle, setCycle] = useState<AgentCycle>({ name: "", isOpen: false });
  /** Chosen here, and not yet reported by the host. */
  const chosen = useRef<string>(undefined);
  const reported = useView(chosenName);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the host has reported a choice when the name changes
  useEffect(() => {
    chosen.current = undefined;
  }, [reported]);

  useEffect(() => {
    let movesFocus = false;
    let steps = 0;
    /** Set while Shift is held. */
    let names: Promise<readonly string[]> | undefined;
    const current = () => chosen.current ?? chosenName(store.state.view);
    const list = async () => {
      const answer = await actions.ask("agents/list", {});
      const agents = answer === undefined ? [] : agentListSchema.parse(answer).agents;
      return [...MODES, ...agents.map(({ name }) => name)];
    };
    const isField = ({ target }: Event) =>
      target instanceof HTMLTextAreaElement &&
      button.current?.closest(".composer")?.contains(target) === true;

    const onCapture = (event: KeyboardEvent) => {
      const { key } = event;
      if (MODIFIERS.has(key)) return;
      if (key === "Tab" ? !isField(event) || !event.shiftKey : key === "Escape") movesFocus = true;
      else if (key !== "Tab") movesFocus = false;
    };
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
      if (key !== "Tab" || !shiftKey || ctrlKey || metaKey || altKey || movesFocus) return;
      // While a list of mentions or commands is open, the key does what it does without one: it moves the focus.
      const isTaken = event.isComposing || event.defaultPrevented || !isField(event);
      if (isTaken || document.activeElement?.hasAttribute("aria-controls")) return;
      event.preventDefault();
      names ??= list();
      const count = ++steps;
      void names.then((all) => {
        if (names && steps === count) setCycle({ name: after(all, current(), count), isOpen: true });
      });
    };
    const choose = async (from: Promise<readonly string[]>, count: number) => {
      const before = current();
      const name = after(await from, before, count);
      setCycle({ name, isOpen: true });
      if (name !== before) {
        chosen.current = name;
        if ((await actions.ask("agents/choose", { name })) === undefined) chosen.current = undefined;
      }
      setCycle((last) => ({ ...last, isOpen: names !== undefined }));
    };
    const end = () => {
      if (names) void choose(names, steps);
      names = undefined;
      steps = 0;
    };
    const onKeyUp = ({ key }: KeyboardEvent) => key === "Shift" && end();
    const onLeave = () => {
      movesFocus = false;
      end();
    };
    document.addEventListener("keydown", onCapture, true);
    document.addEventListener("keydown", onKeyDown);
    document.addEventListener("keyup", onKeyUp, true);
    document.addEventListener("pointerdown", onLeave, true);
    window.addEventListener("blur", onLeave);
    return () => {
      document.removeEventListener("keydown", onCapture, true);
      document.removeEventListener("keydown", onKeyDown);
      document.removeEventListener("keyup", onKeyUp, true);
      document.removeEventListener("pointerdown", onLeave, true);
      window.removeEventListener("blur", onLeave);
    };
  }, [actions, store, button]);
  return cycle;
}

function after(names: readonly string[], current: string, steps: number): string {
  return names[(Math.max(0, names.indexOf(current)) + steps) % names.length] ?? current;
}
