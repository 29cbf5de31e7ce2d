/**
 * Files that something runs by itself: an editor on opening or saving, a language server, a linter, a shell that
 * changes its folder, version control, another agent; and files that configure what task runners, build tools and services run.
 * A command that runs them may have been allowed before they changed. Names are folded (folded-names.ts).
 */
import { INSTRUCTION_NAMES } from "../../instruction-kinds.ts";

/**
 * Names of files, by tool. Among them are those that task runners, build tools and deployments read when a command starts them. The
 * files that instruct Nekode need no entry: `instruction-kinds.ts` names them.
 */
const NAMES: Readonly<Record<string, string>> = {
  agents: `agents.md agent.md agents.override.md claude.md claude.local.md gemini.md qwen.md warp.md crush.md skill.md copilot-instructions.md .cursorrules .windsurfrules .roomodes .kilocodemodes .continuerules .continuerc.json .goosehints .augment-guidelines opencode.json opencode.jsonc crush.json .crush.json`,
  "ignore files of agents": `.clineignore .cursorignore .cursorindexingignore .claudeignore .geminiignore .aiderignore .rooignore .kilocodeignore .codeiumignore .aiexclude .aiignore .continueignore .augmentignore`,
  shells: `.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .mkshrc .cshrc .tcshrc .xonshrc .login .logout .inputrc .xprofile .xinitrc .xsession .xsessionrc .pam_environment config.fish profile.ps1 autoexec.bat`,
  environments: `.envrc .autoenv .autoenv.zsh .tool-versions .mise.toml mise.toml .rtx.toml .prototools devbox.json devenv.nix devenv.yaml flake.nix shell.nix default.nix`,
  "version control": `.gitconfig .gitattributes .gitmodules .gitignore_global .lfsconfig .hgrc .gitmessage .arcconfig .watchmanconfig`,
  "package managers": `.npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pnpmfile.mjs .pnp.cjs .pnp.js .pnp.mjs .pnp.loader.mjs .pnp.data.json pnpm-workspace.yaml bunfig.toml .noderc .ncurc .bowerrc deno.json deno.jsonc import_map.json .pypirc pip.conf pip.ini .condarc .curlrc .wgetrc .netrc _netrc`,
  editors: `
    .vimrc .exrc .nvimrc .nvim.lua .lvimrc .local.vimrc .dir-locals.el .dir-locals-2.el .emacs .gdbinit .gdbearlyinit .lldbinit .screenrc .tmux.conf .editrc .project .classpath .factorypath .cproject .kateproject omnisharp.json
    .neoconf.json coc-settings.json .projections.json .kakrc .ycm_extra_conf.py compile_commands.json compile_flags.txt .ccls rust-project.json rust-analyzer.toml
    .perldb jupyter.json kernel.json
  `,
  "continuous integration": `
    .devcontainer.json .gitlab-ci.yml .gitlab-ci.yaml .travis.yml .drone.yml .appveyor.yml appveyor.yml jenkinsfile bitbucket-pipelines.yml azure-pipelines.yml azure-pipelines.yaml .cirrus.yml .woodpecker.yml codemagic.yaml cloudbuild.yaml buildspec.yml
    .drone.yaml .drone.jsonnet .drone.star .woodpecker.yaml .cirrus.star .cirrus.yaml bitbucket-pipelines.yaml .travis.yaml circle.yml wercker.yml shippable.yml
    .scrutinizer.yml .build.yml .mergify.yml .vsts-ci.yml codefresh.yml .taskcluster.yml .zuul.yaml .prow.yaml action.yml action.yaml cloudbuild.json
    buildspec.yaml codemagic.yml earthfile tiltfile skaffold.yaml skaffold.yml devspace.yaml garden.yml okteto.yml dagger.json werf.yaml
    renovate.json renovate.json5 .goreleaser.yml .goreleaser.yaml goreleaser.yml goreleaser.yaml release.toml .bumpversion.cfg .bumpversion.toml copier.yml copier.yaml
  `,
  "git hooks": `
    .pre-commit-config.yaml .pre-commit-config.yml .pre-commit-hooks.yaml lefthook.yml lefthook.yaml .lefthook.yml .lefthook.yaml lefthook-local.yml .overcommit.yml .huskyrc .huskyrc.json .lintstagedrc .lintstagedrc.json .simple-git-hooks.json
    captainhook.json grumphp.yml grumphp.yaml grumphp.yml.dist .grumphp.yml simple-git-hooks.json simple-git-hooks.js simple-git-hooks.cjs
    .rusty-hook .rusty-hook.toml prek.toml .gitlint .ghooksrc .mega-linter.yml treefmt.toml .treefmt.toml treefmt.nix .sequelizerc
  `,
  "launch configurations": `launch.json.user`,
  Python: `
    sitecustomize.py usercustomize.py conftest.py setup.py setup.cfg pyproject.toml tox.ini noxfile.py pytest.ini .pytest.ini mypy.ini .mypy.ini .pylintrc pylintrc .flake8 .coveragerc .pdbrc .pdbrc.py .pythonrc .pythonrc.py .pythonstartup pyvenv.cfg ipython_config.py
    conf.py gunicorn.conf.py hatch.toml hatch_build.py pdm.toml .pdm.toml poetry.toml uv.toml pipfile pytest.toml .pytest.toml tox.toml alembic.ini mkdocs.yml mkdocs.yaml
    .pyre_configuration pyrefly.toml ty.toml conanfile.py conanfile.txt wscript sconstruct sconscript cz.toml .cz.toml .cz.json cz.json .cz.yaml cz.yaml pants.toml pants.ini
  `,
  Rust: `
    build.rs cargo.toml rust-toolchain rust-toolchain.toml .rust-toolchain .rust-toolchain.toml
    cross.toml dioxus.toml trunk.toml bacon.toml anchor.toml foundry.toml
  `,
  Ruby: `
    gemfile gems.rb .irbrc .pryrc .rspec .solargraph.yml .standard.yml steepfile .simplecov
    config.ru podfile fastfile appfile matchfile deliverfile gymfile scanfile pluginfile berksfile cheffile puppetfile brewfile appraisals gemfile.local mintfile
  `,
  "Java and Scala": `gradlew gradlew.bat mvnw mvnw.cmd gradle.properties gradle-wrapper.properties gradle-wrapper.jar pom.xml build.sc build.mill .jvmopts .sbtopts .bazelrc .buckconfig`,
  "dotnet and Swift": `global.json nuget.config dotnet-tools.json packages.config package.swift`,
  "C, C++ and Go": `cmakelists.txt cmakepresets.json cmakeuserpresets.json meson.build .golangci.yml .golangci.yaml .golangci.toml .golangci.json`,
  PHP: `.user.ini .php-cs-fixer.php .php-cs-fixer.dist.php psalm.xml psalm.xml.dist phpcs.xml phpcs.xml.dist .phpcs.xml phpunit.xml phpunit.xml.dist rector.php ecs.php`,
  "Lua, Clojure and Erlang": `.luarc.json .luarc.jsonc .luacheckrc .busted project.clj profiles.clj mix.exs .formatter.exs .credo.exs .iex.exs rebar.config rebar.config.script`,
  "Haskell, OCaml, R, Julia and Perl": `.ghci hie.yaml setup.hs .ocamlinit .merlin .rprofile rprofile.site .renviron .lintr startup.jl .perltidyrc .perlcriticrc .proverc`,
  "formatters of C and PHP": `.php_cs .php_cs.dist .sqlfluff .clangd .clang-format _clang-format .clang-tidy .uncrustify.cfg .astylerc cpplint.cfg`,
  "formatters of Python": `ruff.toml .ruff.toml .isort.cfg .style.yapf .pycodestyle .pydocstyle .bandit pylama.ini pyrightconfig.json basedpyrightconfig.json`,
  "formatters of Rust and JavaScript": `rustfmt.toml .rustfmt.toml clippy.toml .clippy.toml taplo.toml .taplo.toml .jshintrc .jsbeautifyrc .xo-config.json .standardrc.json .solhint.json`,
  "formatters of Swift, Scala and Java": `.swiftlint.yml .swift-format .swiftformat .scalafmt.conf .scalafix.conf .ocamlformat .ktlint detekt.yml .detekt.yml checkstyle.xml pmd.xml`,
  "formatters of other languages": `stylua.toml .stylua.toml selene.toml .shellcheckrc .hadolint.yaml .hadolint.yml .erb-lint.yml .erb_lint.yml .gersemirc .vale.ini .codespellrc`,
  spelling: `typos.toml _typos.toml .typos.toml`,
  "linters of data": `analysis_options.yaml .tflint.hcl ansible.cfg .ansible-lint .ansible-lint.yml`,
  "formatters of the web": `biome.json biome.jsonc .biome.json .biome.jsonc tslint.json dprint.json .dprint.json nx.json angular.json .flowconfig .tern-project .hintrc .swcrc .markdownlint-cli2.jsonc .markdownlint-cli2.yaml .cspell.json cspell.json .oxlintrc.json`,
  "task runners": `
    makefile gnumakefile bsdmakefile makefile.am makefile.in makefile.pl makefile.toml justfile .justfile maskfile.md magefile.go runfile bb.edn
    rakefile rakefile.rb jakefile jakefile.js jakefile.coffee cakefile thorfile guardfile capfile fabfile fabfile.py tasks.py dodo.py pavement.py
    dvc.yaml snakefile nextflow.config mprocs.yaml process-compose.yml process-compose.yaml .tmuxinator.yml .tmuxp.yaml .overmind.env
    ecosystem.json ecosystem.yml ecosystem.yaml ecosystem.js pm2.json pm2.yml supervisord.conf
  `,
  "development environments": `
    .gitpod.yml .gitpod.yaml .gitpod.dockerfile sandbox.config.json .stackblitzrc .replit replit.nix dev.nix devfile.yaml .devfile.yaml pkgx.yaml .pkgx.yaml
    vagrantfile .lando.yml .lando.yaml .symfony.local.yaml flake.lock pixi.toml
  `,
  deployments: `
    procfile netlify.toml vercel.json now.json render.yaml heroku.yml railway.json railway.toml nixpacks.toml wrangler.toml wrangler.json wrangler.jsonc amplify.yml
    .platform.app.yaml firebase.json serverless.yml serverless.yaml serverless.json serverless.ts serverless.js cdk.json pulumi.yaml terragrunt.hcl
    captain-definition .htaccess web.config fly.toml
  `,
  "JavaScript and TypeScript": `
    nodemon.json node.config.json ormconfig.json ormconfig.js ormconfig.ts ormconfig.cjs ormconfig.mjs ormconfig.yml ormconfig.yaml ormconfig.xml ormconfig.env
    codegen.ts codegen.js codegen.cjs codegen.mjs codegen.yml codegen.yaml codegen.json .graphqlconfig cucumber.js cucumber.mjs cucumber.cjs cucumber.json cucumber.yml
    testem.js testem.cjs testem.json testem.yml nightwatch.json cypress.json jasmine.json jasmine.mjs mocha.opts jest-preset.js stryker.conf.json stryker.config.json
    vitest.workspace.json esbuild.config.json webpackfile.js truffle.js truffle-config.js lerna.json turbo.json turbo.jsonc rush.json project.json workspace.json moon.yml
    nest-cli.json .angular-cli.json ionic.config.json eas.json electron-builder.yml electron-builder.yaml electron-builder.json electron-builder.json5 electron-builder.toml
    electron-builder.js .ember-cli .adonisrc.json adonisrc.ts gatsby-config.json typedoc.json typedoc.jsonc typedoc.js jsdoc.json jsdoc.js .jsdoc.json knip.js knip.ts
    eslint-local-rules.js eslint-local-rules.cjs eslint-local-rules.ts oxlint.json tauri.conf.json tauri.conf.json5 tauri.toml wails.json
    .pre-commit.json watch.json glitch.json .auto.json .lessrc .sassrc
  `,
  "Java, Kotlin and Android": `build.xml ivy.xml build.gradle.dcl settings.gradle.dcl build.mill.scala`,
  dotnet: `build.cake paket.targets`,
  "C, C++, Zig, D and Nim": `
    meson_options.txt meson.options configure.ac configure.in autogen.sh xmake.lua premake4.lua premake5.lua build.ninja build.zig build.zig.zon config.nims nim.cfg
    dub.json dub.sdl
  `,
  Bazel: `build build.bazel module.bazel workspace workspace.bazel workspace.bzlmod .bazelversion buck targets .plzconfig`,
  Go: `.air.toml air.toml .air.conf .realize.yaml modd.conf .modd.conf reflex.conf buf.gen.yaml buf.gen.yml sqlc.yaml sqlc.yml sqlc.json gqlgen.yml .mockery.yaml .mockery.yml .ko.yaml`,
  "Elixir, Erlang and Clojure": `erlang.mk relx.config deps.edn shadow-cljs.edn build.clj build.boot .nrepl.edn`,
  "OCaml and Haskell": `dune dune-project dune-workspace opam esy.json _tags myocamlbuild.ml stack.yaml package.yaml`,
  "PHP and Perl": `
    robofile.php castor.php deploy.php phpbench.json infection.json infection.json5 codeception.yml behat.yml behat.php phpspec.yml .phpactor.json artisan build.pl dist.ini
  `,
  "Swift and Flutter": `project.swift workspace.swift tuist.swift build.yaml melos.yaml dart_test.yaml`,
  "R, Lua, Crystal, Haxe and Godot": `_targets.r makevars .luarocks shard.yml project.godot export_presets.cfg`,
};

const words = (list: string) => new Set(list.split(/\s+/).filter((word) => word !== ""));

/** Folders of version control, editors, services and agents, which read them by themselves. */
const TOOL_FOLDERS = `
  .git .hg .svn .jj .sl .bzr _darcs cvs
  .vscode .vscode-server .vscode-insiders .vscode-test .idea .vs .zed .fleet .devcontainer .settings .theia .nova .helix .run nbproject
  .metals .bloop .bsp .lsp .clj-kondo .dart_tool .terraform
  .github .gitlab .circleci .semaphore .buildkite .ci .forgejo .gitea .woodpecker .husky .githooks .lefthook .dagger
  .git-hooks .hooks githooks .cargo-husky .teamcity .tekton .harness .pipelines .azuredevops .azure-pipelines .builds zuul.d .trunk .qlty
  .gitpod .codesandbox .stackblitz .idx .devfile .che .daytona .devbox .okteto .ddev .docksal .tugboat .nuke .phan .swiftpm
  .clinerules .rules .cline .cursor .windsurf .roo .roorules .kilocode .continue .claude .codex .gemini .kiro .augment .junie .amazonq .aider
  .opencode .goose .agents .agent .trae .qwen .crush .factory .warp .tabnine .codeium .copilot .rovodev .lingma .qoder .openhands .devin
`;

/** Folders of credentials, and of what package managers and toolchains install, whose code builds run. */
const INSTALLED_FOLDERS = `
  .ssh .gnupg .aws .azure .kube .docker
  node_modules bower_components jspm_packages vendor pods carthage buildsrc build-logic .gradle .eggs dist-packages .pixi magefiles .eslintplugin fastlane .yarn .pnpm-store .pnpm
  .venv venv .virtualenv virtualenv .tox .nox site-packages __pycache__ __pypackages__ .ipython
  .cargo .rustup .mvn .bundle .asdf .mise .rtx .volta .proto .moon .direnv .devenv .pyenv .rbenv .nvm .sdkman
`;

/** Folders whose whole content counts, at any depth. */
const FOLDERS = words(TOOL_FOLDERS + INSTALLED_FOLDERS);

/** Folders that are a program's project, by their extension, and names that may be folders as well as files. */
const FOLDER_PATTERNS = [
  /\.(?:xcodeproj|xcworkspace|playground|egg-info|dist-info)$/,
  /^\.(?:nekode|env|aider)/,
];

/** Instruction files count because they instruct later tasks; `head` is in a bare repository. */
const FILES = words(["head", ...Object.values(NAMES), ...INSTRUCTION_NAMES].join(" ").toLowerCase());
/** Names that are like those of the table. */
const VARIANTS = [
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

/** Names of files that an editor, a shell, a service or an agent reads by itself. */
const TOOL_PATTERNS = [
  /^\.nekode/,
  /\.code-workspace$/,
  /\.(?:sublime-project|sublime-workspace|sublime-settings|iml)$/,
  /(?:^|[._-])(?:mcp|lsp)(?:[._-].*)?\.(?:json[c5]?|toml|ya?ml)$/,
  /^claude_desktop_config\.json$/,
  // What the user allows in a project.
  /^allowed-commands\.json$/,
  /_?profile\.ps1$/,
  /\.(?:instructions|prompt|chatmode|agent)\.md$/,
  /^\.aider/,
  /^azure-pipelines.*\.ya?ml$/,
];

const PATTERNS = [
  ...TOOL_PATTERNS,
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
export function autorunPart(parts: readonly string[]): string | undefined {
  for (const [i, part] of parts.entries()) {
    if (FOLDERS.has(part) || FOLDER_PATTERNS.some((pattern) => pattern.test(part))) return part;
    const pair = `${part}/${parts[i + 1] ?? ""}`;
    if (PAIRS.some((pattern) => pattern.test(pair))) return pair;
    const isLast = i === parts.length - 1;
    const matches = (patterns: readonly RegExp[]) => patterns.some((pattern) => pattern.test(part));
    // A source folder may have the name of such a file, if there is no dot in it.
    if ((isLast || part.includes(".")) && FILES.has(part)) return part;
    if (matches(PATTERNS) || (isLast && matches(VARIANTS))) return part;
  }
  return undefined;
}

const TOOLS = words(TOOL_FOLDERS);
/** The kinds of names above whose files take effect without any command. */
const TOOL_FILES = words(
  [
    ...["agents", "ignore files of agents", "shells", "environments", "version control", "editors"],
    ...["continuous integration", "git hooks", "launch configurations", "development environments"],
    "package managers",
  ]
    .map((kind) => NAMES[kind])
    .join(" "),
);
const INSTRUCTIONS = words([...INSTRUCTION_NAMES].join(" ").toLowerCase());

/**
 * Whether a file or folder of this folded name takes effect without a command that runs it: an editor, version control, a shell
 * that changes its folder, a service or an agent reads it by itself.
 */
export function takesEffectByItself(name: string): boolean {
  return (
    TOOLS.has(name) ||
    TOOL_FILES.has(name) ||
    INSTRUCTIONS.has(name) ||
    TOOL_PATTERNS.some((pattern) => pattern.test(name))
  );
}

/** Whether a folder of this folded name holds what a package manager or a toolchain installed, not the project's own files. */
export function isInstalledFolder(name: string): boolean {
  return INSTALLED.has(name);
}

const INSTALLED = words(INSTALLED_FOLDERS.slice(INSTALLED_FOLDERS.indexOf("node_modules")));
