/** The words on the button that approves a call: what happens then. */
import type { ApprovalView } from "../event.ts";
import type { ToolFace } from "../tool-face.ts";
import { phraseText, type Translate } from "./task-words.ts";

export function approveText(
  t: Translate,
  face: ToolFace | undefined,
  approval: ApprovalView | undefined,
): string {
  if (face?.approve !== undefined) return phraseText(t, face.approve);
  switch (approval?.access) {
    case "edit":
      if (approval.files?.length && approval.files.every(({ kind }) => kind === "delete")) return t("Delete");
      return approval.created ? t("Create") : t("Save");
    case "command":
      return t("Run");
    case "read":
      return t("Allow");
    case "web":
      return t("Fetch");
    case "mcp":
      return approval.server?.tool === undefined ? t("Allow") : t("Call");
    default:
      return t("Approve");
  }
}
