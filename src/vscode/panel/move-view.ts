/** Moves the view between the side bars, each of which has its own container for it. */
import * as vscode from "vscode";
import { hasSecondaryContainers } from "./secondary-containers.ts";
import { VIEW_ID } from "./sidebar.ts";

/**
 * The containers in package.json. VS Code 1.106 and later support the one in the secondary side bar; earlier versions ignore
 * it.
 */
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
  // Lets the user choose the target; "New Secondary Side Bar Entry" is one of the choices.
  await run("workbench.action.moveFocusedView", VIEW_ID);
}
