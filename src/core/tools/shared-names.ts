/** Other names of parameters that several tools have. */

export const pathNames = [
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

export const contentNames = ["contents", "file_text", "file_content", "new_content"];

export const commandNames = ["cmd", "command_line", "shell_command"];
