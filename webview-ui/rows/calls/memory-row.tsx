/** What a call wrote into the memory of the project, and the button that undoes it. */
import { isInEffect, memoryChangeSchema } from "../../../src/shared/memory-list.ts";
import { usePanel } from "../../panel.ts";
import { useMemory } from "../../screens/use-memory.ts";
import { Button } from "../../toolkit/button.tsx";

export default function MemoryRow({ change: shown }: { change: unknown }) {
  const { t, store } = usePanel();
  const { listed, ask } = useMemory();
  const change = memoryChangeSchema.parse(shown);
  const hasChange = listed !== null && isInEffect(change, listed.notes);
  return (
    <div className="buttons" data-testid="memory-change" data-state={hasChange ? "kept" : "gone"}>
      {hasChange ? (
        <Button testId="undo-memory" onPress={() => void ask({ action: "undo", change })}>
          {t("Undo")}
        </Button>
      ) : (
        <span className="detail" role="status">
          {listed === null ? "" : t("No longer in memory")}
        </span>
      )}
      <Button testId="show-memory" onPress={() => store.show("memory")}>
        {t("Show memory")}
      </Button>
    </div>
  );
}
