/** The `Kernels` port on the notebooks of VS Code. */
import * as vscode from "vscode";
import { Interrupt, messageOf, ToolError } from "../../core/errors.ts";
import type { CellRun, KernelOutput, Kernels } from "../../core/ports/notebooks.ts";
import { withEol } from "../../core/text.ts";
import { within } from "../../node/clock.ts";
import * as z from "../../shared/zod.ts";
import { notebookOf } from "../files/open-notebooks.ts";
import { untilAborted } from "./language-servers.ts";

const RUN = "notebook.cell.execute";
const CANCEL = "notebook.cell.cancelExecution";
/** Milliseconds within which a kernel begins with a cell after the command has returned. */
const START_TIMEOUT = 5_000;

const MIME = {
  stdout: "application/vnd.code.notebook.stdout",
  stderr: "application/vnd.code.notebook.stderr",
  error: "application/vnd.code.notebook.error",
} as const;
const errorSchema = z.object({
  name: z.optional(z.string()),
  message: z.optional(z.string()),
  stack: z.optional(z.string()),
});

export class EditorKernels implements Kernels {
  async run(
    file: string,
    { index, source }: { index: number; source: string },
    signal: AbortSignal,
  ): Promise<CellRun> {
    const uri = vscode.Uri.file(file);
    const notebook = notebookOf(file) ?? (await vscode.workspace.openNotebookDocument(uri));
    const cell = index < notebook.cellCount ? notebook.cellAt(index) : undefined;
    if (!cell || withEol(cell.document.getText(), "\n") !== withEol(source, "\n"))
      throw new ToolError(
        "The cell changed since it was proposed to run it. It was not run. Read the notebook again.",
      );
    // Only a notebook that is on screen runs. Beside the active editor, it neither covers that nor takes the focus from it.
    if (!vscode.window.visibleNotebookEditors.some((editor) => editor.notebook === notebook))
      await vscode.window.showNotebookDocument(notebook, {
        viewColumn: vscode.window.tabGroups.activeTabGroup.activeTab
          ? vscode.ViewColumn.Beside
          : vscode.ViewColumn.Active,
        preserveFocus: true,
        preview: false,
      });
    const range = { start: index, end: index + 1 };
    const watch = new RunWatch(cell);
    try {
      const command = Promise.resolve(
        vscode.commands.executeCommand(RUN, { ranges: [range], document: uri }),
      );
      await untilAborted(command, signal);
      if ((await within(untilAborted(watch.begun, signal), START_TIMEOUT)) === "late")
        throw new ToolError("No kernel ran the cell. Ask the user to select one for the notebook.");
      await untilAborted(watch.ended, signal);
    } catch (error) {
      if (error instanceof ToolError) throw error;
      if (!(error instanceof Interrupt)) throw new ToolError(`The cell could not run: ${messageOf(error)}`);
      vscode.commands.executeCommand(CANCEL, { ranges: [range], document: uri }).then(undefined, () => {
        // The kernel may have ended by itself.
      });
      throw error;
    } finally {
      watch.dispose();
    }
    const { success, timing } = cell.executionSummary ?? {};
    return {
      outputs: cell.outputs.flatMap(outputOf),
      success,
      durationMs: timing ? timing.endTime - timing.startTime : undefined,
    };
  }
}

/** The run of a cell, as the events of its notebook tell it. */
class RunWatch {
  readonly begun: Promise<void>;
  readonly ended: Promise<void>;
  readonly #listening: vscode.Disposable;

  constructor(cell: vscode.NotebookCell) {
    const before = cell.executionSummary?.timing?.endTime;
    let [begin, end] = [() => {}, () => {}];
    this.begun = new Promise((resolve) => {
      begin = resolve;
    });
    this.ended = new Promise((resolve) => {
      end = resolve;
    });
    this.#listening = vscode.workspace.onDidChangeNotebookDocument(({ notebook, cellChanges }) => {
      if (notebook !== cell.notebook) return;
      for (const change of cellChanges) {
        if (change.cell !== cell || !change.executionSummary) continue;
        begin();
        const { timing } = cell.executionSummary ?? {};
        if (timing?.endTime !== undefined && timing.endTime !== before) end();
      }
    });
  }

  dispose(): void {
    this.#listening.dispose();
  }
}

/** Of several forms of one output, a notebook has all under their types. */
function outputOf({ items }: vscode.NotebookCellOutput): KernelOutput[] {
  const text = (data: Uint8Array) => new TextDecoder().decode(data);
  const data: Record<string, string> = {};
  const outputs: KernelOutput[] = [];
  for (const item of items) {
    if (item.mime === MIME.stdout || item.mime === MIME.stderr)
      outputs.push({ output_type: "stream", text: text(item.data) });
    else if (item.mime === MIME.error) outputs.push(errorOf(text(item.data)));
    else if (item.mime.startsWith("image/") && item.mime !== "image/svg+xml")
      data[item.mime] = Buffer.from(item.data).toString("base64");
    else data[item.mime] = text(item.data);
  }
  return Object.keys(data).length > 0 ? [...outputs, { output_type: "display_data", data }] : outputs;
}

function errorOf(json: string): KernelOutput {
  const { name = "Error", message = "", stack } = errorSchema.safeParse(parsedError(json)).data ?? {};
  return {
    output_type: "error",
    ename: name,
    evalue: message,
    ...(stack === undefined ? {} : { traceback: [stack] }),
  };
}

function parsedError(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return { message: json };
  }
}
