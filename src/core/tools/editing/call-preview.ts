/** The change of a call as the diffs of its files show it. */
import { type Disposable, DisposableStore } from "../../lifecycle.ts";
import type { CallPreview } from "../tool.ts";

interface FilePreview {
  /** The display path. */
  readonly name: string;
  readonly isEdited: boolean;
  onEdited(listener: () => void): Disposable;
}

export function callPreview(
  files: readonly FilePreview[],
  choose: (left: readonly number[]) => void,
): CallPreview {
  return {
    choose,
    get edited() {
      return files.filter(({ isEdited }) => isEdited).map(({ name }) => name);
    },
    onEdited(listener) {
      const store = new DisposableStore();
      for (const file of files) store.add(file.onEdited(listener));
      return store;
    },
  };
}
