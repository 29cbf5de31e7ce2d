/** Moves the view between the side bars, each with a container of its own for it. */
import * as vscode from "vscode";
import { VIEW_ID } from "./sidebar.ts";

/** Containers of package.json. The secondary side bar has one from VS Code 1.106 on (`secondarySidebar`); earlier versions ignore it. */
const CONTAINERS = {
  sideBar: "workbench.view.extension.nekode",
  secondarySideBar: "workbench.view.extension.nekode-secondary",
};

export async function moveView(to: keyof typeof CONTAINERS): Promise<void> {
  const run = vscode.commands.executeCommand;
  if (to === "sideBar" || hasSecondaryContainers(vscode.version)) {
    await run("vscode.moveViews", { viewIds: [VIEW_ID], destinationId: CONTAINERS[to] });
    await run(`${VIEW_ID}.focus`);
    return;
  }
  // Asks where the view goes; "New Secondary Side Bar Entry" is one of the places.
  await run("workbench.action.moveFocusedView", VIEW_ID);
}

/** Whether extensions can contribute containers to the secondary side bar. Earlier versions ignore the contribution. */
const FIRST_WITH_SECONDARY = [1, 106] as const;

/** `version`: of VS Code, such as `1.106.2-insider`. */
export function hasSecondaryContainers(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map((part) => Number.parseInt(part, 10));
  return (
    major > FIRST_WITH_SECONDARY[0] || (major === FIRST_WITH_SECONDARY[0] && minor >= FIRST_WITH_SECONDARY[1])
  );
}
