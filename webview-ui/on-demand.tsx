/** Components in chunks of their own that appear as soon as they are loaded. */
import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import { messageOf } from "../src/shared/message-of.ts";

type WithFallback<P> = P & {
  /** Shown until the component is loaded; nothing by default. */
  fallback?: ReactNode;
};

/** A component that loads once, on first use. Rendering it throws if it cannot be loaded; the next rendering tries again. */
export interface OnDemand<P extends object> {
  (props: WithFallback<P>): ReactNode;
  /** Loads the component before it is rendered; a failure is reported when it is rendered. */
  preload(): void;
}

/**
 * The component that `load` imports. Unlike React's `lazy`, which keeps a fallback on the screen for 300 ms at least, it
 * appears as soon as it is loaded.
 */
export function onDemand<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): OnDemand<P> {
  const chunk = new LoadedOnce(load);
  const preload = () => {
    chunk.start().catch((error: unknown) => console.warn(`not loaded yet: ${messageOf(error)}`));
  };
  return Object.assign((props: WithFallback<P>) => <OnDemandPart chunk={chunk} props={props} />, { preload });
}

class LoadedOnce<P extends object> {
  readonly #load: () => Promise<{ default: ComponentType<P> }>;
  #loading: Promise<void> | undefined;
  /** undefined: not loaded yet. */
  component: ComponentType<P> | undefined;

  constructor(load: () => Promise<{ default: ComponentType<P> }>) {
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
}

function OnDemandPart<P extends object>({ chunk, props }: { chunk: LoadedOnce<P>; props: WithFallback<P> }) {
  const [, setLoaded] = useState(chunk.component !== undefined);
  const [failure, setFailure] = useState<{ error: unknown } | null>(null);
  useEffect(() => {
    let isGone = false;
    chunk.start().then(
      () => isGone || setLoaded(true),
      (error: unknown) => isGone || setFailure({ error }),
    );
    return () => {
      isGone = true;
    };
  }, [chunk]);
  if (failure) throw failure.error;
  const { component: Component } = chunk;
  return Component ? <Component {...props} /> : props.fallback;
}
