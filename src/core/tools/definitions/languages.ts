/**
 * The languages whose definitions are listed, each with our query. `@scope` is a definition with members, `@item` one whose
 * inner definitions are not listed; `@name` is the node on whose line the definition says what it is.
 */

export interface Language {
  /** Name of the grammar file. */
  grammar: string;
  extensions: readonly string[];
  query: string;
}

const SCRIPT = `
(class_declaration name: (_) @name) @scope
(function_declaration name: (_) @name) @item
(generator_function_declaration name: (_) @name) @item
(method_definition name: (_) @name) @item
(variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function)]) @item
(variable_declarator name: (identifier) @name value: (class)) @scope
(export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name) @item))
(assignment_expression left: (member_expression) @name right: [(arrow_function) (function_expression)]) @item
`;

const TYPED = `${SCRIPT}
(abstract_class_declaration name: (_) @name) @scope
(interface_declaration name: (_) @name) @scope
(internal_module name: (_) @name) @scope
(module name: (_) @name) @scope
(enum_declaration name: (_) @name) @item
(type_alias_declaration name: (_) @name) @item
(function_signature name: (_) @name) @item
(method_signature name: (_) @name) @item
(abstract_method_signature name: (_) @name) @item
(public_field_definition name: (_) @name value: (arrow_function)) @item
`;

export const LANGUAGES: readonly Language[] = [
  {
    grammar: "javascript",
    extensions: [".js", ".mjs", ".cjs", ".jsx"],
    query: `${SCRIPT}(field_definition property: (_) @name value: (arrow_function)) @item`,
  },
  { grammar: "typescript", extensions: [".ts", ".mts", ".cts"], query: TYPED },
  { grammar: "tsx", extensions: [".tsx"], query: TYPED },
  {
    grammar: "python",
    extensions: [".py", ".pyi"],
    query: `
(class_definition name: (_) @name) @scope
(function_definition name: (_) @name) @item
(module (expression_statement (assignment left: (identifier) @name) @item) (#match? @name "^[A-Z][A-Z0-9_]+$"))
`,
  },
  {
    grammar: "go",
    extensions: [".go"],
    query: `
(function_declaration name: (_) @name) @item
(method_declaration name: (_) @name) @item
(type_spec name: (_) @name) @item
(source_file (const_declaration (const_spec name: (_) @name) @item))
`,
  },
  {
    grammar: "rust",
    extensions: [".rs"],
    query: `
(mod_item name: (_) @name body: (_)) @scope
(trait_item name: (_) @name) @scope
(impl_item type: (_) @name) @scope
(struct_item name: (_) @name) @item
(enum_item name: (_) @name) @item
(union_item name: (_) @name) @item
(type_item name: (_) @name) @item
(function_item name: (_) @name) @item
(function_signature_item name: (_) @name) @item
(const_item name: (_) @name) @item
(static_item name: (_) @name) @item
(macro_definition name: (_) @name) @item
`,
  },
  {
    grammar: "java",
    extensions: [".java"],
    query: `
(class_declaration name: (_) @name) @scope
(interface_declaration name: (_) @name) @scope
(enum_declaration name: (_) @name) @scope
(record_declaration name: (_) @name) @scope
(annotation_type_declaration name: (_) @name) @scope
(method_declaration name: (_) @name) @item
(constructor_declaration name: (_) @name) @item
`,
  },
  {
    grammar: "c-sharp",
    extensions: [".cs"],
    query: `
(namespace_declaration name: (_) @name) @scope
(file_scoped_namespace_declaration name: (_) @name) @scope
(class_declaration name: (_) @name) @scope
(interface_declaration name: (_) @name) @scope
(struct_declaration name: (_) @name) @scope
(record_declaration name: (_) @name) @scope
(enum_declaration name: (_) @name) @item
(delegate_declaration name: (_) @name) @item
(method_declaration name: (_) @name) @item
(constructor_declaration name: (_) @name) @item
(property_declaration name: (_) @name) @item
`,
  },
  {
    grammar: "cpp",
    extensions: [".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx", ".ino"],
    query: `
(namespace_definition name: (_) @name) @scope
(class_specifier name: (_) @name body: (_)) @scope
(struct_specifier name: (_) @name body: (_)) @scope
(union_specifier name: (_) @name body: (_)) @scope
(enum_specifier name: (_) @name body: (_)) @item
(function_definition declarator: (function_declarator declarator: (_) @name)) @item
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @name))) @item
(function_definition declarator: (reference_declarator (function_declarator declarator: (_) @name))) @item
(declaration declarator: (function_declarator declarator: (_) @name)) @item
(declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @name))) @item
(field_declaration declarator: (function_declarator declarator: (_) @name)) @item
(type_definition declarator: (_) @name) @item
(alias_declaration name: (_) @name) @item
(concept_definition name: (_) @name) @item
(preproc_function_def name: (_) @name) @item
`,
  },
  {
    grammar: "php",
    extensions: [".php", ".phtml"],
    query: `
(namespace_definition name: (_) @name body: (_)) @scope
(class_declaration name: (_) @name) @scope
(interface_declaration name: (_) @name) @scope
(trait_declaration name: (_) @name) @scope
(enum_declaration name: (_) @name) @scope
(method_declaration name: (_) @name) @item
(function_definition name: (_) @name) @item
`,
  },
  {
    grammar: "ruby",
    extensions: [".rb", ".rake", ".gemspec"],
    query: `
(module name: (_) @name) @scope
(class name: (_) @name) @scope
(singleton_class) @scope
(method name: (_) @name) @item
(singleton_method name: (_) @name) @item
`,
  },
  {
    grammar: "css",
    extensions: [".css"],
    query: `
(media_statement) @scope
(supports_statement) @scope
(rule_set (selectors) @name) @item
(keyframes_statement (keyframes_name) @name) @item
`,
  },
  {
    grammar: "bash",
    extensions: [".sh", ".bash", ".zsh"],
    query: "(function_definition name: (_) @name) @item",
  },
  {
    grammar: "powershell",
    extensions: [".ps1", ".psm1"],
    query: `
(function_statement (function_name) @name) @item
(class_statement . (simple_name) @name) @scope
(class_method_definition (simple_name) @name) @item
(enum_statement . (simple_name) @name) @item
`,
  },
];

const byExtension = new Map(
  LANGUAGES.flatMap((language) => language.extensions.map((extension) => [extension, language] as const)),
);

/** The language of a file by its name; undefined: not supported. */
export function languageByName(fileName: string): Language | undefined {
  const dot = fileName.lastIndexOf(".");
  return dot < 0 ? undefined : byExtension.get(fileName.slice(dot).toLowerCase());
}
