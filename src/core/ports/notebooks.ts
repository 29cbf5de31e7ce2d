/** The port that runs cells of notebooks in the kernels of an editor. */

/** What a cell printed, as a notebook file says it. `data`: by type; images in Base64, all else as text. */
export interface KernelOutput {
  output_type: "stream" | "error" | "display_data";
  text?: string;
  data?: Readonly<Record<string, string>>;
  ename?: string;
  evalue?: string;
  traceback?: string[];
}

export interface CellRun {
  outputs: KernelOutput[];
  /** undefined: the kernel does not tell. */
  success: boolean | undefined;
  durationMs: number | undefined;
}

export interface Kernels {
  /**
   * Runs a code cell by its position, and shows the notebook in the background if no tab does. Rejects with ToolError, without running
   * anything, if the cell no longer has this source, or if no kernel runs it; with Interrupt, stopping the cell, when the signal aborts.
   */
  run(path: string, cell: { index: number; source: string }, signal: AbortSignal): Promise<CellRun>;
}
