/** Changes of one cell of a notebook: no byte of the rest of the file changes, in whatever form it is written. */
import { describe, expect, it } from "vitest";
import { notebookCells } from "../../../../src/core/tools/notebooks/notebook-cells.ts";
import { type CellChange, withCellChange } from "../../../../src/core/tools/notebooks/notebook-changes.ts";
import { COMPACT, JUPYTER } from "../../../support/notebooks.ts";

const changed = (json: string, change: CellChange) => withCellChange(json, change);
const ids = (json: string) => notebookCells(json)?.cells.map(({ id }) => id);

describe("as Jupyter writes it", () => {
  it("a cell is replaced in its lines alone", () => {
    expect(changed(JUPYTER, { kind: "replace", index: 1, source: "x = 2\ny = '猫'\nprint(x, \"y\")" })).toBe(
      JUPYTER.replace(
        '    "x = 1\\n",\n    "print(x)"\n',
        '    "x = 2\\n",\n    "y = \'猫\'\\n",\n    "print(x, \\"y\\")"\n',
      ),
    );
  });

  it("an empty cell gets lines, and a cell becomes empty", () => {
    const filled = changed(JUPYTER, { kind: "replace", index: 2, source: "a\n" });
    expect(filled).toBe(JUPYTER.replace('"source": []', '"source": [\n    "a\\n"\n   ]'));
    expect(changed(filled, { kind: "replace", index: 2, source: "" })).toBe(JUPYTER);
  });

  it("a cell is inserted at the beginning, between others and at the end, with its members in Jupyter's order", () => {
    const code = (id: string) => `  {
   "cell_type": "code",
   "execution_count": null,
   "id": "${id}",
   "metadata": {},
   "outputs": [],
   "source": [
    "1"
   ]
  }`;
    const insert = (index: number) =>
      changed(JUPYTER, { kind: "insert", index, type: "code", source: "1", id: "new" });
    expect(insert(-1)).toBe(JUPYTER.replace('"cells": [\n', `"cells": [\n${code("new")},\n`));
    expect(insert(2)).toBe(JUPYTER.replace('"source": []\n  }\n', `"source": []\n  },\n${code("new")}\n`));
    expect(ids(insert(0))).toEqual(["intro", "new", "load", "empty"]);
  });

  it("a cell is deleted, wherever it is", () => {
    for (const [index, rest] of [
      [0, ["load", "empty"]],
      [1, ["intro", "empty"]],
      [2, ["intro", "load"]],
    ] as const) {
      const text = changed(JUPYTER, { kind: "delete", index });
      expect(ids(text)).toEqual(rest);
      expect(text).toBe(`${JSON.stringify(JSON.parse(text), undefined, 1)}\n`);
    }
  });

  it("all cells go, and one comes back", () => {
    let text = JUPYTER;
    for (let left = 3; left > 0; left--) text = changed(text, { kind: "delete", index: 0 });
    expect(text).toContain('"cells": [],');
    text = changed(text, { kind: "insert", index: -1, type: "markdown", source: "# A\nb", id: "one" });
    expect(text).toBe(`${JSON.stringify(JSON.parse(text), undefined, 1)}\n`);
    expect(notebookCells(text)?.cells).toMatchObject([{ id: "one", type: "markdown", source: "# A\nb" }]);
  });

  it("line breaks of Windows and four spaces stay", () => {
    const json = `${JSON.stringify(JSON.parse(JUPYTER), undefined, 4)}`.replaceAll("\n", "\r\n");
    const text = changed(json, { kind: "replace", index: 1, source: "a\nb" });
    expect(text).toBe(`${JSON.stringify(JSON.parse(text), undefined, 4)}`.replaceAll("\n", "\r\n"));
    const inserted = changed(json, { kind: "insert", index: 2, type: "raw", source: "a\nb", id: "z" });
    expect(inserted).toBe(`${JSON.stringify(JSON.parse(inserted), undefined, 4)}`.replaceAll("\n", "\r\n"));
  });
});

describe("on one line", () => {
  it("a source that is one text stays one, in ASCII", () => {
    expect(changed(COMPACT, { kind: "replace", index: 0, source: "犬" })).toBe(
      COMPACT.replace("print('\\u732b')", "\\u72ac"),
    );
  });

  it("lines stay lines, and cells come and go without ids", () => {
    expect(changed(COMPACT, { kind: "replace", index: 1, source: "c\nd" })).toBe(
      COMPACT.replace('["a\\n", "b"]', '["c\\n", "d"]'),
    );
    const inserted = changed(COMPACT, { kind: "insert", index: 0, type: "raw", source: "x" });
    expect(inserted).toContain(
      '}, {"cell_type": "raw", "metadata": {}, "source": ["x"]}, {"cell_type": "raw"',
    );
    expect(changed(inserted, { kind: "delete", index: 1 })).toBe(COMPACT);
    expect(changed(changed(COMPACT, { kind: "delete", index: 1 }), { kind: "delete", index: 0 })).toContain(
      '"cells": []',
    );
  });
});

it("strings with brackets, quotes and backslashes do not confuse it", () => {
  const source = 'a = "]}\\\\"\nb = [\'{\', "\\""]';
  const text = changed(JUPYTER, { kind: "replace", index: 0, source });
  expect(notebookCells(text)?.cells[0]?.source).toBe(source);
  expect(changed(text, { kind: "replace", index: 0, source: '# Cats\nText with "quotes" and 猫.' })).toBe(
    JUPYTER,
  );
});

it("cells without ids, or with one id twice, have positions", () => {
  expect(ids(COMPACT)).toEqual(["#1", "#2"]);
  expect(ids(JUPYTER.replace('"load"', '"intro"'))).toEqual(["#1", "#2", "#3"]);
});
