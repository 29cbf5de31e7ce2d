/** The files that an approval names. */
import type { ApprovalView } from "../event.ts";

/** The approval with `rename` applied to each path of a file. */
export function withPaths(approval: ApprovalView, rename: (path: string) => string): ApprovalView {
  const { path, files } = approval;
  return {
    ...approval,
    ...(path === undefined ? {} : { path: rename(path) }),
    ...(files
      ? {
          files: files.map((file) => ({
            ...file,
            path: rename(file.path),
            ...(file.to === undefined ? {} : { to: rename(file.to) }),
          })),
        }
      : {}),
  };
}

/** The approval with files of the subtask's worktree named by their paths in it, as the subtask itself names them. */
export function withAskedPaths(approval: ApprovalView): ApprovalView {
  const { root } = approval.task ?? {};
  if (root === undefined) return approval;
  return withPaths(approval, (path) =>
    path.startsWith(root) && /^[\\/]/.test(path.slice(root.length)) ? path.slice(root.length + 1) : path,
  );
}
