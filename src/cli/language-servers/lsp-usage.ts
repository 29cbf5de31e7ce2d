export const LSP_USAGE = `Usage: nekode lsp list
       nekode lsp approve NAME... | --all

Manages the language servers that the agent asks about symbols: those of your file lsp.json, and those of plugins. A server
of a plugin starts only after you have approved exactly what it is.

  list              list the language servers, and what is wrong in their files
  approve           show what a server of a plugin runs, and approve it; NAME is PLUGIN/SERVER, --all approves every
                    one that the list shows

  --data-dir DIR    folder that stores the approvals (NEKODE_DATA_DIR)
  --config-dir DIR  folder of your lsp.json (NEKODE_CONFIG_DIR)
`;
