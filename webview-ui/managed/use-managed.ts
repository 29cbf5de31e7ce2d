/** What the administrator of this computer manages, as the host lists it. */
import { useEffect, useState } from "react";
import { type ManagedList, managedListSchema } from "../../src/shared/managed-list.ts";
import { usePanel } from "../panel.ts";

/** Asks when the component appears; null: nothing is managed, or the answer has not come. */
export function useManaged(): ManagedList | null {
  const { actions } = usePanel();
  const [managed, setManaged] = useState<ManagedList | null>(null);
  useEffect(() => {
    void actions.ask("managed/ask", { ask: null }).then((answer) => {
      if (answer?.list) setManaged(managedListSchema.parse(answer.list));
    });
  }, [actions]);
  return managed;
}
