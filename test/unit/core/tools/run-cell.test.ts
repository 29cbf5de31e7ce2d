/** run_cell: what is approved, what runs, and what the model gets of the output. */
import { expect, it } from "vitest";
import type { CellRun } from "../../../../src/core/ports/notebooks.ts";
import { toolsFor } from "../../../../src/core/tools/registry.ts";
import { memoryHost } from "../../../support/memory-host.ts";
import { JUPYTER } from "../../../support/notebooks.ts";
import { type RunOptions, runTool } from "./run-tool.ts";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

function run(params: Record<string, unknown>, ends: Partial<CellRun> = {}, options: RunOptions = {}) {
  const memory = memoryHost({ files: { "a.ipynb": JUPYTER } });
  const ran: unknown[] = [];
  memory.host.kernels = {
    async run(path, cell) {
      ran.push([path, cell]);
      return { outputs: [], success: true, durationMs: 5, ...ends };
    },
  };
  return runTool("run_cell", { path: "a.ipynb", ...params }, { memory, ...options }).then((done) => ({
    ...done,
    ran,
  }));
}

it("is offered where there are kernels, and nowhere else", () => {
  const { host } = memoryHost();
  const names = (of: typeof host) => toolsFor(of).map(({ name }) => name);
  expect(names(host)).not.toContain("run_cell");
  expect(names({ ...host, kernels: { run: () => Promise.reject(new Error("unused")) } })).toContain(
    "run_cell",
  );
});

it("shows the code for approval, and runs exactly that cell", async () => {
  const { invocation, ran, text } = await run(
    { cell: "load" },
    { outputs: [{ output_type: "stream", text: "1\n" }] },
  );
  expect(invocation).toMatchObject({
    paths: [{ access: "read" }],
    runsInEditor: true,
    view: { command: "x = 1\nprint(x)" },
  });
  expect(invocation?.command).toBeUndefined();
  expect(ran).toEqual([["/project/a.ipynb", { index: 1, source: "x = 1\nprint(x)" }]]);
  expect(text).toBe("The cell ran. Output:\n1");
});

it("tells an error with the calls that led to it", async () => {
  const traceback = ["\u001b[31mTraceback\u001b[0m", "  line 2", "ValueError: no"];
  const { text, output } = await run(
    { cell: "load" },
    { success: false, outputs: [{ output_type: "error", ename: "ValueError", evalue: "no", traceback }] },
  );
  expect(text).toBe("The cell failed. Output:\nTraceback\n  line 2\nValueError: no");
  expect(output?.outcome).toBe("failed");
});

it("gives images to a model that sees them, and their type to one that does not", async () => {
  const outputs: CellRun["outputs"] = [
    { output_type: "display_data", data: { "image/png": PNG, "text/plain": "<Figure>" } },
  ];
  const seen = await run({ cell: "load" }, { outputs });
  expect(seen.text).toContain("Output:\n[image 1]");
  expect(seen.output?.parts[1]).toEqual({ type: "image", mimeType: "image/png", data: PNG });
  const unseen = await run({ cell: "load" }, { outputs }, { seesImages: false });
  expect(unseen.text).toContain("[image/png, text/plain]");
  expect(unseen.output?.parts).toHaveLength(1);
});

it("refuses what does not run", async () => {
  expect((await run({ cell: "none" })).error).toMatch(/has no cell "none"/);
  expect((await run({ cell: "intro" })).error).toMatch(/Only code cells run/);
  expect((await run({ cell: "load", path: "b.ipynb" })).error).toMatch(/no file or folder at b\.ipynb/);
});
