/** Alternative names of parameters that several tools share. */

export const PATH_NAMES = [
  "file_path",
  "filename",
  "file",
  "target_file",
  "relative_path",
  "absolute_path",
  "dir",
  "dir_path",
  "directory",
  "folder",
  "target_directory",
  "relative_workspace_path",
];

export const CONTENT_NAMES = ["contents", "file_text", "file_content", "new_content"];

export const COMMAND_NAMES = ["cmd", "command_line", "shell_command"];
