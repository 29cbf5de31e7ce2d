/**
 * Files that something runs by itself: an editor on opening or saving, a language server, a linter, a shell that
 * changes its folder, version control, another agent; and files that configure what task runners, build tools and services run.
 * A command that runs them may have been allowed before they changed. Names are folded (folded-names.ts).
 */
import { AUTORUN_FILES, AUTORUN_LAST } from "./autorun-files.ts";

const words = (list: string) => new Set(list.split(/\s+/).filter((word) => word !== ""));

/** Folders whose whole content counts, at any depth. */
const FOLDERS = words(`
  .git .hg .svn .jj .sl .bzr _darcs cvs
  .vscode .vscode-server .vscode-insiders .vscode-test .idea .vs .zed .fleet .devcontainer .settings .theia .nova .helix .run nbproject
  .metals .bloop .bsp .lsp .clj-kondo .dart_tool .terraform
  .github .gitlab .circleci .buildkite .ci .forgejo .gitea .woodpecker .husky .githooks .lefthook .dagger
  .git-hooks .hooks githooks .cargo-husky .teamcity .tekton .harness .pipelines .azuredevops .azure-pipelines .builds zuul.d .trunk .qlty
  .gitpod .codesandbox .stackblitz .idx .devfile .che .daytona .devbox .okteto .ddev .docksal .tugboat .nuke .phan .swiftpm
  .clinerules .cline .cursor .windsurf .roo .roorules .kilocode .continue .claude .codex .gemini .kiro .augment .junie .amazonq .aider
  .opencode .goose .agents .agent .trae .qwen .crush .factory .warp .tabnine .codeium .copilot .rovodev .lingma .qoder .openhands .devin
  .ssh .gnupg .aws .azure .kube .docker
  node_modules bower_components jspm_packages vendor pods carthage buildsrc build-logic .gradle .eggs dist-packages .pixi magefiles .eslintplugin fastlane .yarn .pnpm-store .pnpm
  .venv venv .virtualenv virtualenv .tox .nox site-packages __pycache__ __pypackages__ .ipython
  .cargo .rustup .mvn .bundle .asdf .mise .rtx .volta .proto .moon .direnv .devenv .pyenv .rbenv .nvm .sdkman
`);

/** Folders that are a program's project, by their extension. */
const FOLDER_PATTERNS = [/\.(?:xcodeproj|xcworkspace|playground|egg-info|dist-info)$/];

/** Files by name, at any depth. */
const FILES = words(Object.values(AUTORUN_FILES).join(" "));
/** Files by name, as the last segment of a path. */
const LAST = words(Object.values(AUTORUN_LAST).join(" "));
/** The same, by pattern. */
const LAST_PATTERNS = [
  /^\.?lefthook(?:-local)?\.(?:ya?ml|toml|jsonc?)$/,
  /^\.?taskfile(?:\.dist)?\.ya?ml$/,
  /^procfile\.(?!(?:md|[cm]?[jt]sx?)$)[\w-]+$/,
  /^(?:dangerfile|gruntfile|gulpfile|jenkinsfile|knexfile)(?:\.[\w-]+)*$/,
  /^\.?(?:release-it|cspell|electron-builder)(?:\.config)?\.(?:json[c5]?|ya?ml|toml|[cm]?[jt]s)$/,
  /^\.gitlab-ci.*\.ya?ml$/,
  /^buildspec.*\.ya?ml$/,
  /^\.lando\..+\.ya?ml$/,
  /\.config\.(?:babel|prod|production|dev|development|ci|e2e|unit|integration|common|base|local|browser|node|main|renderer|preload|lib|build|shared|workspace)\.[cm]?[jt]sx?$/,
  /^(?:karma|wdio|protractor|nightwatch|quasar|codecept|cucumber|stryker|intern)(?:[.-][\w-]+)*\.conf\.[cm]?[jt]s$/,
  /\.(?:mk|mak|just|rake|bzl|bazelrc|jenkinsfile|runsettings|nimble|nims|rockspec|opam|hxml|xcconfig|sublime-build|podspec|service|timer|socket|desktop|pkr\.hcl|uproject)$/,
  /^[\w-]+\.(?:build|target)\.cs$/,
];

/** Linters, formatters and build tools whose `.NAMErc`, with or without an extension, names plugins that they load. */
const RC =
  "eslint|prettier|stylelint|babel|postcss|mocha|nyc|c8|ava|lintstaged|lint-staged|commitlint|release|husky|parcel|svgr|graphql|remark|textlint|markdownlint|secretlint|htmlhint|pug-lint|sasslint|sass-lint|depcheck|syncpack|unimport|swc|jscs|xo|oxlint|size-limit|cz|czrc|versionrc|aidigest|puppeteer|electron-webpack|taprc|tap|lerna|nodemon|ember-cli|template-lint|sequelize|detox|lighthouse|posthtml|cssnano|htmlnano|renovate|auto|umi";

const PATTERNS = [
  /^\.nekode/,
  /^\.env/,
  /\.code-workspace$/,
  /\.(?:sublime-project|sublime-workspace|sublime-settings|iml)$/,
  /(?:^|[._-])mcp(?:[._-].*)?\.(?:json[c5]?|toml|ya?ml)$/,
  /^claude_desktop_config\.json$/,
  // What the user allows in a project.
  /^allowed-commands\.json$/,
  /_?profile\.ps1$/,
  /\.(?:instructions|prompt|chatmode|agent)\.md$/,
  /^\.aider/,
  /^azure-pipelines.*\.ya?ml$/,
  // Configuration files that are programs: eslint.config.js, vite.config.ts, those of any tool.
  /\.config\.[cm]?[jt]sx?$/,
  /^\.[\w-]+\.[cm]?[jt]s$/,
  /^(?:karma\.conf|wdio\.conf|protractor\.conf|nightwatch\.conf|gulpfile|gruntfile|gatsby-(?:config|node|browser|ssr)|vetur|ember-cli-build|plopfile|jest\.(?:setup|preset)|vitest\.(?:setup|workspace)|webpack\.[\w-]+|rollup\.[\w-]+|esbuild)\.[cm]?[jt]s$/,
  new RegExp(`^\\.?(?:${RC})(?:rc)(?:\\.(?:json[c5]?|ya?ml|toml|[cm]?[jt]s))?$`),
  /^(?:babel|prettier|stylelint|eslint|graphql|commitlint|postcss|release|lint-staged|lintstaged|jest|vitest|mocha)\.config\.(?:json[c5]?|ya?ml|toml)$/,
  /^\.rubocop.*\.yml$/,
  /^\.(?:yamllint|markdownlint|cmake-format)(?:\.(?:json[c5]?|ya?ml|py))?$/,
  /^(?:\.?phpstan|psalm)(?:[.-][\w.-]*)?\.(?:neon|neon\.dist|xml)$/,
  /^\.?mise(?:\.[\w-]+)*\.toml$/,
  /^\.tool-versions/,
  /\.(?:gradle|gradle\.kts|sbt|pth|gemspec|cabal|cmake)$/,
  /^cabal\.project/,
  /^(?:directory\.(?:build|packages)\.|before\.|after\.).*\.?(?:props|targets|rsp)$/,
  /\.(?:(?:cs|vb|fs|vcx|sq|nj|w[ai]x|es)proj|shproj|proj|props|targets|rsp|pubxml)(?:\.user|\.filters)?$/,
  /^jupyter_.*config\.(?:py|json)$/,
];

/** Pairs of consecutive names that count, at any depth. */
const PAIRS = [
  /^\.config\/(?:git|fish|nekode|autostart|systemd|powershell|mise|direnv|nvim|dotnet-tools\.json|nextest\.toml)$/,
  // Nekode's data folder, which records the MCP servers that the user approved. Its configuration is `.config/nekode`.
  /^(?:share|application support|local|roaming)\/nekode$/,
  /^gradle\/(?:wrapper|init\.d)$/,
  /^(?:bin|scripts)\/(?:activate(?:\..*)?|activate_this\.py|python[\d.]*(?:\.exe)?|pip[\d.]*(?:\.exe)?)$/,
  /^renv\/(?:activate\.r|library)$/,
  // Code and settings of documentation and test tools; styles and pages beside them are not run.
  /^\.(?:storybook|rnstorybook|ondevice)\/[\w.-]+\.(?:[cm]?[jt]sx?|json)$/,
  /^\.(?:vitepress|vuepress|dumi|umi)\/config(?:\..+)?$/,
  /^cypress\/(?:plugins|support)$/,
  /^\.changeset\/config\.json$/,
  /^tools\/bazel(?:\.(?:bat|ps1|exe))?$/,
  /^config\/[\w.-]+\.exs$/,
  /^project\/(?:build\.properties|[\w.-]+\.scala)$/,
  /^deps\/build\.jl$/,
];

/** Returns the part of the path that something runs by itself; otherwise undefined. `parts`: folded. */
export function steersWhatRuns(parts: readonly string[]): string | undefined {
  for (const [i, part] of parts.entries()) {
    const isLast = i === parts.length - 1;
    if (FOLDERS.has(part) || FOLDER_PATTERNS.some((pattern) => pattern.test(part))) return part;
    const two = `${part}/${parts[i + 1] ?? ""}`;
    if (PAIRS.some((pattern) => pattern.test(two))) return two;
    if (part.startsWith(".nekode") || FILES.has(part)) return part;
    if (PATTERNS.some((pattern) => pattern.test(part))) return part;
    if (!isLast) continue;
    // A bare repository contains this file; a source folder may have the same name.
    if (part === "head" || LAST.has(part) || LAST_PATTERNS.some((pattern) => pattern.test(part))) return part;
  }
  return undefined;
}
