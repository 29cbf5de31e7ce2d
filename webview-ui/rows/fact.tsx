/** What a call that asks comes with, a line each. Small: the question above the composer is there before the rows are. */
import type { ApprovalView } from "../../src/shared/event.ts";
import { usePanel } from "../panel.ts";
import { Visible } from "../text/visible.tsx";

/** Where a path leads through links, for whoever reads only the question. */
export function RealPath({ approval }: { approval: ApprovalView | undefined }) {
  const { t } = usePanel();
  const { realPath, path } = approval ?? {};
  if (!realPath || realPath === path) return null;
  return (
    <dl className="facts">
      <Fact name={t("Really")} value={realPath} />
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
