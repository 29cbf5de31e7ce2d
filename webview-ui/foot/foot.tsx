/** The line under the input: the model with its effort, what runs without asking, and how full the context window is. */
import { ModelEffort } from "../composer/effort-select.tsx";
import { ModelButton } from "../composer/model-button.tsx";
import { ContextRing } from "./context-ring.tsx";
import { PermissionButton } from "./permission-button.tsx";
import { WorktreeButton } from "./worktree-button.tsx";

export function Foot() {
  return (
    <>
      <ModelButton />
      <ModelEffort />
      <PermissionButton />
      <WorktreeButton />
      <ContextRing />
    </>
  );
}
