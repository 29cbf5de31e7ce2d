/** A played model, a project and the editors of one test, which are closed after it. */
import { afterEach, beforeEach, expect } from "vitest";
import { type ModelServer, startModelServer } from "../../model-server/server.ts";
import { overAt, Project } from "../support.ts";
import { Editor, type EditorOptions } from "./editor.ts";

/** The end of a turn waits two seconds for its changes; on a busy machine they may take longer. */
export const PATIENT: EditorOptions = { env: overAt(2) };

export class Stage {
  readonly #editors: Editor[] = [];

  private constructor(
    readonly model: ModelServer,
    readonly project: Project,
  ) {}

  static async create(files: Record<string, string>): Promise<Stage> {
    return new Stage(await startModelServer(), await Project.create(files));
  }

  async editor(options: EditorOptions = {}): Promise<Editor> {
    const env = { NEKODE_BASE_URL: this.model.url, NEKODE_MODEL: "scripted", ...options.env };
    const editor = await Editor.start(this.project, { ...options, env });
    this.#editors.push(editor);
    return editor;
  }

  /** Every agent ends when its editor closes, also in the middle of work. */
  async close(): Promise<void> {
    const codes = await Promise.all(this.#editors.map((editor) => editor.close()));
    expect(codes.filter((code) => code !== 0 && code !== null)).toEqual([]);
    expect(this.model.refusals).toEqual([]);
    await this.model.close();
    await this.project.remove();
  }
}

/** Of the test that runs. */
export let stage: Stage;

/** A stage for each test of a file. Called once, at the head of the file. */
export function stageOfEachTest(files: Record<string, string>): void {
  beforeEach(async () => {
    stage = await Stage.create(files);
  });
  afterEach(() => stage.close());
}
