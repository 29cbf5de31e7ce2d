/** The notes in the memory of the project, as the host lists them. */
import { useCallback, useEffect, useState } from "react";
import { type MemoryAction, type MemoryList, memoryListSchema } from "../../src/shared/memory-list.ts";
import { usePanel } from "../panel.ts";

/** Requests the notes when the component appears. Each action returns the list as it is afterwards. */
export function useMemory(): { listed: MemoryList | null; ask(action: MemoryAction | null): Promise<void> } {
  const { actions } = usePanel();
  const [listed, setListed] = useState<MemoryList | null>(null);
  const ask = useCallback(
    async (action: MemoryAction | null) => {
      const answer = await actions.ask("memory/ask", { ask: action });
      if (answer) setListed(memoryListSchema.parse(answer.list));
    },
    [actions],
  );
  useEffect(() => void ask(null), [ask]);
  return { listed, ask };
}
