/** Components in chunks of their own that appear as soon as they are loaded. */
import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import { messageOf } from "../src/shared/message-of.ts";

/** A component that loads once, on first use. */
export class OnDemand {
  readonly #load: () => Promise<{ default: ComponentType }>;
  #loading: Promise<void> | undefined;
  /** undefined: not loaded yet. */
  component: ComponentType | undefined;

  constructor(load: () => Promise<{ default: ComponentType }>) {
    this.#load = load;
  }

  /** Resolves when `component` is loaded. The next call after a failure tries again. */
  start(): Promise<void> {
    this.#loading ??= this.#load().then(
      (module) => {
        this.component = module.default;
      },
      (error: unknown) => {
        this.#loading = undefined;
        throw error;
      },
    );
    return this.#loading;
  }

  /** Loads the component before it is shown; a failure is reported when it is shown. */
  readonly preload = (): void => {
    this.start().catch((error: unknown) => console.warn(`not loaded yet: ${messageOf(error)}`));
  };
}

/**
 * Shows the component, and `fallback` until it is loaded. Unlike React's `lazy`, this shows a loaded component immediately and
 * does not keep the fallback on screen for 300 ms.
 */
export function OnDemandPart({ part, fallback }: { part: OnDemand; fallback: ReactNode }): ReactNode {
  const [, setLoaded] = useState<ComponentType>();
  const [failure, setFailure] = useState<{ error: unknown } | null>(null);
  useEffect(() => {
    if (part.component) return;
    let isGone = false;
    part.start().then(
      () => isGone || setLoaded(() => part.component),
      (error: unknown) => isGone || setFailure({ error }),
    );
    return () => {
      isGone = true;
    };
  }, [part]);
  if (failure) throw failure.error;
  const { component: Component } = part;
  return Component ? <Component /> : fallback;
}
