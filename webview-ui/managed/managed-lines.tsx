/** Says beside a choice what the administrator manages of it. */
import type { ManagedItem, ManagedList } from "../../src/shared/managed-list.ts";
import { managedItemText } from "../../src/shared/words/managed-words.ts";
import { usePanel } from "../panel.ts";
import { Visible } from "../text/visible.tsx";
import { Icon } from "../toolkit/icon.tsx";
import { useManaged } from "./use-managed.ts";

/** `codes`: what belongs to the choice. */
export function ManagedLines({ codes }: { codes: readonly ManagedItem["code"][] }) {
  return <ManagedItems list={useManaged()} codes={codes} />;
}

/** `codes` absent: all. */
export function ManagedItems({
  list,
  codes,
}: {
  list: ManagedList | null;
  codes?: readonly ManagedItem["code"][];
}) {
  const { t } = usePanel();
  const items = list?.items.filter(({ code }) => codes === undefined || codes.includes(code)) ?? [];
  if (!list || items.length === 0) return null;
  return (
    <div className="managed detail" data-testid="managed">
      <Icon name="lock" />
      <div>
        {/* A list of all has a heading of its own. */}
        {codes === undefined ? null : (
          <p>
            <Visible text={t("Managed by {0}", list.managedBy)} />
          </p>
        )}
        <ul>
          {items.map((item) => (
            <li key={item.code} data-testid="managed-line">
              <Visible text={managedItemText(t, item)} />
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
