/** A quiet mark on a line for a folded command that the sandbox blocked, or for several. */
import type { SandboxBlock } from "../../../src/shared/message.ts";
import { sandboxText } from "../../../src/shared/words/sandbox-words.ts";
import { usePanel } from "../../panel.ts";
import { Icon } from "../../toolkit/icon.tsx";

/** `blocked`: what the sandbox stopped, or how many commands. */
export default function BlockedMark({ blocked }: { blocked: SandboxBlock | number }) {
  const { t } = usePanel();
  const name =
    typeof blocked === "number"
      ? t("{0} blocked by the sandbox", blocked)
      : sandboxText(t, { block: blocked });
  return (
    <span className="blocked-mark" role="img" aria-label={name} title={name}>
      <Icon name="shield" />
    </span>
  );
}
