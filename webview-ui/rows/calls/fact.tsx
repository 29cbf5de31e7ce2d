/** The facts of an approval, one per line. Small, because the question above the composer loads before the rows. */
import type { ApprovalView } from "../../../src/shared/event.ts";
import { usePanel } from "../../panel.ts";
import { Visible } from "../../text/visible.tsx";

/** The target of a path that leads through links, for users who read only the question. */
export function RealPath({ approval }: { approval: ApprovalView | undefined }) {
  const { t } = usePanel();
  const { realPath, path } = approval ?? {};
  if (!realPath || realPath === path) return null;
  return (
    <dl className="facts">
      <Fact name={t("Resolves to")} value={realPath} />
    </dl>
  );
}

export function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Visible text={value} />
      </dd>
    </div>
  );
}
