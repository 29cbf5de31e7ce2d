/** The connections, without their models. */
import { useCallback, useEffect, useState } from "react";
import type { Result } from "../../src/shared/protocol.ts";
import { usePanel } from "../panel.ts";

/** null: not known yet. */
export function useConnections(): { known: Result<"models/list"> | null; reload(): void } {
  const { actions } = usePanel();
  const [known, setKnown] = useState<Result<"models/list"> | null>(null);
  const load = useCallback(async () => {
    const answer = await actions.ask("models/list", {});
    if (answer) setKnown(answer);
  }, [actions]);
  useEffect(() => void load(), [load]);
  return { known, reload: () => void load() };
}
