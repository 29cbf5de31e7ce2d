/** Moves the view between the side bars, each with a container of its own for it. */
import * as vscode from "vscode";
import { hasSecondaryContainers } from "./secondary-containers.ts";
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
