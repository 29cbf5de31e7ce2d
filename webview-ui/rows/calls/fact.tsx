/** The facts of an approval, one per line. Small, because the question above the composer loads before the rows. */
import type { ApprovalView } from "../../../src/shared/event.ts";
import { usePanel } from "../../panel.ts";
import { Visible } from "../../text/visible.tsx";

/**
 * The target of a path that leads through links, or the URL that a text stands for, unless it is `subject`. For users who
 * read only the question.
 */
export function Target({ approval, subject }: { approval: ApprovalView | undefined; subject: string }) {
  const { t } = usePanel();
  const { realPath, path, url } = approval ?? {};
  const target = realPath ?? url;
  if (!target || target === path || target === subject) return null;
  return (
    <dl className="facts">
      <Fact name={t("Resolves to")} value={target} />
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
