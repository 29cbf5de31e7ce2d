export const editingFiles = () => `EDITING FILES

- Use replace_in_file by default, write_to_file for new or mostly changed files, apply_patch to change several files or move one.
- Do not show the change in your text first.
- Put all changes to one file into one call. To move lines, delete them in one block and insert them in another.
- The editor may reformat what is saved, and the user may change it: base your next change on the result.`;
