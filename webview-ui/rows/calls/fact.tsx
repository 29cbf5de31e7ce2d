/** A fact of an approval, on a line of its own. */
import { Visible } from "../../text/visible.tsx";

export function FactItem({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Visible text={value} />
      </dd>
    </div>
  );
}
