/** What a task without a notebook is offered. */
export function withoutCells<T extends { name: string }>(tools: readonly T[]): T[] {
  return tools.filter(({ name }) => name !== "edit_notebook" && name !== "run_cell");
}
