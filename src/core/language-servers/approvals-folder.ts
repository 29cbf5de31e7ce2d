/** Where the approvals of plugins' language servers are: a file for each plugin, so that all of one are forgotten with its file. */

/** In the data folder, and used for nothing else. */
export const APPROVED_LANGUAGE_SERVERS = "language-servers";

/** The name of a plugin is one of a file, too. */
export const approvalsOf = (plugin: string): string => `${plugin}.json`;
