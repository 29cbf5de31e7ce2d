/** Determines whether the paths of mentions are files or folders on the disk. */
import { useEffect, useState } from "react";
import type { Mention } from "../../../src/shared/mentions.ts";
import type { PathKind } from "../../../src/shared/view/current-file.ts";
import { usePanel } from "../../panel.ts";

/** Maximum number of paths in one request. */
const MOST_PATHS = 100;

/** By the value of the mention, as the host answers. A path is asked about again when its mention was removed and returns. */
export function useKinds(mentions: readonly Mention[]): ReadonlyMap<string, PathKind> {
  const { actions } = usePanel();
  const [kinds, setKinds] = useState<ReadonlyMap<string, PathKind>>(new Map());
  const wanted = [
    ...new Set(mentions.flatMap(({ kind, value }) => (kind === "file" || kind === "folder" ? [value] : []))),
  ].join("\n");
  useEffect(() => {
    if (wanted === "") return;
    // No path of a mention contains a line break.
    const paths = wanted.split("\n").slice(0, MOST_PATHS);
    let isLatest = true;
    void actions.quietly("files/kinds", { paths }).then((answer) => {
      if (!isLatest || !answer) return;
      setKinds(new Map(answer.kinds.map((kind, index) => [paths[index] ?? "", kind])));
    });
    return () => {
      isLatest = false;
    };
  }, [wanted, actions]);
  return kinds;
}
