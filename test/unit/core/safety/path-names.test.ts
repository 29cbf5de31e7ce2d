/** Names that ask and names that do not: credentials when read, and what something runs by itself when written. */
import { describe, expect, it } from "vitest";
import { foldedParts } from "../../../../src/core/safety/paths/folded-names.ts";
import { protectedWrite } from "../../../../src/core/safety/paths/judge-path.ts";
import { manifestReason, manifestSteers } from "../../../../src/core/safety/paths/manifests.ts";
import { secretName } from "../../../../src/core/safety/paths/secret-names.ts";
import { reasonOf } from "../../../../src/shared/reason.ts";

const names = (list: string) => list.split(/\s+/).filter((name) => name !== "");

const SECRETS = names(`
  .env .env.local .env.production .env.keys .env.vault prod.env docker.env app.env.local staging.env env.production .envrc .envs/.production/.django .dev.vars .dev.vars.production
  id_rsa id_ed25519 id_ecdsa_sk id_work id_github_deploy ssh_host_rsa_key .ssh/config private_key private-key.txt my.private.key server.pem tls/server.key cert.p12 cert.pfx AuthKey_1.p8 release.jks upload.keystore vault.kdbx putty.ppk secring.gpg client.ovpn host.keytab age.agekey wg0.conf
  kubeconfig prod-kubeconfig kubeconfig.yaml my.kubeconfig .kube/config k3s.yaml talosconfig kubernetes/admin.conf
  shop-1a2b3-firebase-adminsdk-x9y8z-0f1e2d.json firebase-adminsdk.json my-service-account.json serviceAccountKey.json service_account.json client_secret_123.apps.googleusercontent.com.json gha-creds-1a2b.json gcp-key.json gcloud-creds.json sa-key.json application_default_credentials.json google-credentials.json token.json token.pickle
  .aws/credentials .azure/accessTokens.json .config/gcloud/access_tokens.db .config/gh/hosts.yml .config/doctl/config.yaml .config/rclone/rclone.conf rclone.conf .boto .s3cfg rootkey.csv accessKeys.csv .oci/config .aliyun/config.json .config/configstore/firebase-tools.json
  terraform.tfstate terraform.tfstate.backup prod.tfstate terraform.tfvars prod.auto.tfvars secrets.tfvars.json .terraformrc .terraform.d/credentials.tfrc.json .pulumi/credentials.json
  credentials credentials.json aws-credentials.csv db.credentials.yaml credentials.prod.yml creds.json secrets.yml secrets.yaml app-secrets.yaml secrets.prod.yaml secret.json .secrets .streamlit/secrets.toml secrets/db_password.txt secrets/api
  .npmrc .yarnrc.yml .pypirc pip.conf .condarc nuget.config .gem/credentials .bundle/config .cargo/credentials .cargo/credentials.toml .m2/settings.xml settings-security.xml .gradle/gradle.properties .composer/auth.json auth.json .docker/config.json .dockercfg .dockerconfigjson .config/containers/auth.json local.properties keystore.properties key.properties
  .netrc _netrc .git-credentials .gitcookies .pgpass pgpass.conf .my.cnf .mylogin.cnf .htpasswd .pg_service.conf .smbcredentials .msmtprc .authinfo .curlrc .databrickscfg kaggle.json .huggingface/token huggingface/token .ngrok2/ngrok.yml local.settings.json wp-config.php sftp.json sftp-config.json
  .git/config .git/config.worktree .git/modules/lib/config .git/modules/a/b/config .git/worktrees/w/config.worktree repo.git/config
  .git/logs/HEAD .git/logs/refs/heads/main .git/logs/refs/remotes/origin/x .git/modules/lib/logs/HEAD .git/worktrees/w/logs/HEAD sub/.git/logs/refs/stash .git/FETCH_HEAD .git/worktrees/w/FETCH_HEAD .git/fetch_head .git/remotes/origin .git/branches/old
  .vault-token .vault_pass vault_pass.txt master.key .password-store/site.gpg .gnupg/private-keys-v1.d/x login.keychain-db logins.json key4.db
  passwords.txt password.json api_key.txt api-keys.json access_tokens.json github-token.txt .token oauth_creds.json .claude/.credentials.json .codex/auth.json
  .bash_history .zsh_history .psql_history fish_history etc/shadow sudoers
`);

const READABLE = names(`
  .env.example .env.sample .env.template .env.dist .env.local.example .env-example example.env sample.env env.example .env.defaults
  environment.ts environments/environment.prod.ts src/env.ts src/env.d.ts vite-env.d.ts env.mjs process.env import.meta.env config.env.ts
  tokens.css tokens.json design-tokens.json token.ts src/token/index.ts tokenizer.json secret-santa.md docs/secrets.md secret.ts secrets.py secrets.go src/secrets/index.ts
  src/auth/index.ts src/auth/auth.ts auth.ts auth.md locales/en/auth.json i18n/ja/credentials.json src/credentials/form.tsx src/credentials.ts src/identity/user.ts
  id_rsa.pub id_ed25519.pub server.key.pub keys.pub deploy.pub public.crt ca.crt cert.cer known_hosts authorized_keys
  credentials.example.json credentials.json.example secrets.example.yaml secrets.yaml.template terraform.tfvars.example service-account.example.json config.sample.php wp-config-sample.php
  keyboard.ts src/keys.ts key.ts hotkeys.json keymap.json monkey.json passwordField.tsx password-reset.html password.test.ts api-key.ts api-keys.md src/order_history/list.ts history.ts
  package.json package-lock.json settings.xml gradle.properties config.json src/config.json .config/app.json .github/config.yml config .gitignore .git/HEAD .git/ORIG_HEAD .git/packed-refs .git/refs/heads/main logs/app.log src/logs/index.ts FETCH_HEAD .cargo/config.toml .docker/notes.md
  kubeconfig.md src/shadow/dom.ts sam/template.yaml src/sam.ts profiles.ts wallet.ts terraform.tf main.tf firebase.json google-services.json service-account.ts
  identity.ts private.ts private_key.rs src/private-key/parse.go id_map.ts user_id.ts
`);

const STEERING = names(`
  .venv/bin/activate .venv/lib/python3.12/site-packages/x.py venv/pyvenv.cfg env/pyvenv.cfg env/bin/activate env/bin/python3 env/Scripts/activate.bat x/site-packages/evil.pth lib/a.pth sitecustomize.py usercustomize.py conftest.py tests/unit/conftest.py setup.py setup.cfg tox.ini noxfile.py pytest.ini mypy.ini .pylintrc pylintrc .flake8 pyproject.toml .coveragerc .pdbrc .ipython/profile_default/startup/a.py jupyter_notebook_config.py
  .cargo/config.toml .cargo/config sub/.cargo/config.toml rust-toolchain rust-toolchain.toml build.rs crates/a/build.rs
  eslint.config.js eslint.config.mjs eslint.config.ts .eslintrc .eslintrc.js .eslintrc.cjs .eslintrc.json .eslintrc.yaml .prettierrc .prettierrc.json .prettierrc.mjs prettier.config.js .prettierrc.toml .stylelintrc stylelint.config.cjs .babelrc babel.config.json babel.config.js biome.json biome.jsonc .markdownlint.cjs .markdownlintrc .lintstagedrc.mjs commitlint.config.js .commitlintrc.json tslint.json .textlintrc .remarkrc.js
  vite.config.ts vitest.config.mts jest.config.js jest.setup.ts webpack.config.js webpack.prod.js rollup.config.mjs playwright.config.ts tailwind.config.js postcss.config.cjs .postcssrc.json next.config.mjs nuxt.config.ts svelte.config.js astro.config.mjs karma.conf.js gulpfile.js Gruntfile.js .mocharc.js .mocharc.json .nycrc metro.config.js cypress.config.ts .swcrc angular.json nx.json deno.json
  node_modules/x/index.js packages/a/node_modules/.bin/tsc .yarn/releases/yarn.cjs .yarn/plugins/p.cjs .pnp.cjs .pnp.loader.mjs .pnpmfile.cjs .npmrc .yarnrc.yml pnpm-workspace.yaml bunfig.toml
  .mvn/extensions.xml .mvn/jvm.config mvnw mvnw.cmd pom.xml gradlew gradlew.bat gradle/wrapper/gradle-wrapper.properties build.gradle build.gradle.kts settings.gradle init.gradle gradle.properties build.sbt project/plugins.sbt
  mise.toml .mise.toml mise.local.toml .mise.production.toml .config/mise/config.toml .mise/tasks/x .tool-versions .envrc flake.nix shell.nix devenv.nix .direnv/x
  .dir-locals.el .dir-locals-2.el .Rprofile .Renviron renv/activate.R .lintr .nvim.lua .exrc .lvimrc .luacheckrc .luarc.json .gdbinit .irbrc .pryrc .rubocop.yml .rubocop_todo.yml .rspec Gemfile a.gemspec .ghci hie.yaml mix.exs .formatter.exs project.clj .clj-kondo/hooks/x.clj .merlin analysis_options.yaml ruff.toml .ruff.toml rustfmt.toml clippy.toml .clang-format .clang-tidy .clangd .swiftlint.yml .yamllint .yamllint.yml .markdownlint.json .shellcheckrc .isort.cfg pyrightconfig.json stylua.toml .php_cs .sqlfluff .scalafmt.conf .ocamlformat checkstyle.xml
  .vscode/settings.json .idea/workspace.xml .idea/runConfigurations/a.xml .run/a.run.xml .devcontainer/devcontainer.json .fleet/run.json .zed/tasks.json .helix/languages.toml app.iml a.code-workspace a.sublime-project .settings/x.prefs .factorypath
  App.xcodeproj/project.pbxproj App.xcworkspace/contents.xcworkspacedata Package.swift a.csproj a.vbproj a.fsproj a.vcxproj a.csproj.user Directory.Build.props Directory.Build.targets Directory.Packages.props Directory.Build.rsp my.targets my.props global.json nuget.config
  CMakeLists.txt CMakePresets.json cmake/x.cmake meson.build .golangci.yml .php-cs-fixer.dist.php phpstan.neon phpstan.neon.dist psalm.xml phpunit.xml
  .github/workflows/ci.yml .github/actions/a/action.yml .gitlab-ci.yml .circleci/config.yml .gitattributes .gitmodules .git/hooks/pre-commit .pre-commit-config.yaml lefthook.yml .husky/pre-commit .lefthook/x
  .config/nekode/mcp.json .config/nekode/config.json .local/share/nekode/servers/mcp-servers.json .local/share/nekode/projects/a/allowed-commands.json AppData/Roaming/nekode/mcp.json AppData/Local/nekode/servers/a own-data/servers/mcp-servers.json
  .claude/settings.json .cursor/rules/a.mdc .cursorrules .mcp.json mcp.json .vscode/mcp.json AGENTS.md CLAUDE.md GEMINI.md .clinerules/a.md .roo/rules/a.md .kiro/hooks/a .agents/skills/a/SKILL.md SKILL.md .codex/config.toml opencode.json .cursorignore .nekodeignore .nekode/rules/a.md
  lefthook.toml lefthook.json .lefthook.toml lefthook-local.yml lefthook-local.toml .rusty-hook.toml .hooks/pre-commit simple-git-hooks.json captainhook.json grumphp.yml .trunk/trunk.yaml treefmt.toml
  composer.json vendor/autoload.php vendor/lib/a.php src/vendor/a.js vendor/composer/autoload_files.php Pods/a.m buildSrc/src/main/kotlin/a.kt build-logic/a.kts
  .storybook/main.js .storybook/main.ts .storybook/preview.tsx .storybook/manager.ts .vitepress/config.mts cypress/plugins/index.js cypress/support/e2e.ts .changeset/config.json
  knexfile.js knexfile.ts codegen.ts codegen.yml .sequelizerc ormconfig.js ormconfig.json nodemon.json lerna.json turbo.json project.json nest-cli.json eas.json testem.js cucumber.js .adonisrc.json webpack.config.babel.js jest.config.e2e.js electron-builder.yml typedoc.json wdio.ci.conf.ts .lighthouserc.json .release-it.json
  .gitpod.yml .gitpod/automations.yaml .codesandbox/tasks.json .codesandbox/Dockerfile .stackblitzrc .replit .idx/dev.nix .devfile.yaml .ddev/config.yaml Vagrantfile .lando.yml
  tools/bazel tools/bazel.bat BUILD BUILD.bazel MODULE.bazel WORKSPACE rules/a.bzl ci.bazelrc
  Makefile GNUmakefile rules.mk sub/makefile Makefile.am Justfile justfile .justfile a.just Taskfile.yml taskfile.dist.yaml Rakefile lib/tasks/a.rake Procfile Procfile.dev Dangerfile dangerfile.ts Guardfile Capfile Fastfile fastlane/a.rb Podfile Brewfile tasks.py fabfile.py dodo.py magefile.go Snakefile SConstruct wscript Tiltfile Earthfile
  Jenkinsfile Jenkinsfile.release .drone.yaml .gitlab-ci.review.yml azure-pipelines-nightly.yml bitbucket-pipelines.yaml .builds/a.yml .teamcity/settings.kts action.yml renovate.json .goreleaser.yaml
  netlify.toml vercel.json wrangler.toml serverless.yml cdk.json firebase.json .htaccess web.config
  docs/conf.py mkdocs.yml tox.toml hatch_build.py Pipfile alembic.ini conanfile.py pants.toml gunicorn.conf.py
  meson_options.txt configure.ac xmake.lua build.zig build.ninja dune dune-project a.opam stack.yaml config/runtime.exs deps.edn build.xml a.xcconfig a.runsettings melos.yaml build.yaml foundry.toml .air.toml buf.gen.yaml sqlc.yaml
  compile_commands.json .ycm_extra_conf.py coc-settings.json a.sublime-build kernel.json a.service
  .bashrc .zshenv .profile .envrc .env .env.example .tmux.conf
`);

const WRITABLE = names(`
  src/index.ts src/build.ts src/config.ts src/app/config/index.ts lib/main.rs src/lib.rs src/head/index.ts main.py tests/test_a.py app.rb main.go a.cs a.swift a.java a.kt a.c a.h a.ex a.clj a.R a.lua
  README.md docs/setup.md docs/eslint.md docs/venv.md CHANGELOG.md LICENSE Dockerfile docker-compose.yml tsconfig.json jsconfig.json .editorconfig .gitignore .dockerignore .prettierignore .eslintignore robots.txt index.html styles.css a.svg data.json a.yaml a.toml a.xml a.sql a.ipynb
  go.mod requirements.txt pubspec.yaml package-lock.json composer.lock yarn.lock Cargo.lock .nvmrc env/settings.py src/env/index.ts src/vendors/a.js src/vendor.ts src/modules/a.ts src/node-modules.ts src/vite/plugin.ts src/webpack.ts src/babel/index.ts src/jest.ts bin/cli.js scripts/build.mjs scripts/activate-user.ts
  locales/en.json .storybook/preview.css public/app.css src/props.ts src/targets.ts src/activate.ts rc.ts src/rollup.ts src/build/index.ts src/workspace/a.ts src/dune/a.ts targets/a.ts src/user.service.ts src/storybook/main.ts docs/makefile.md src/knex.ts src/codegen/index.ts src/orm.config/a.ts app.config.spec.ts src/action.ts src/config/index.exs.md src/procfile.ts src/config/db.ts webpack.md gradle.md src/settings/index.ts run/a.txt .browserslistrc .lint.md src/grpc.ts src/arc.js
`);

/** The same file as other file systems name it, and deeper down. */
function spellings(name: string): string[] {
  const last = name.lastIndexOf("/") + 1;
  return [
    name,
    `./${name}`,
    `packages/a/b/${name}`,
    `/work/project/${name}`,
    name.toUpperCase(),
    name.replaceAll("/", "\\"),
    `${name}.`,
    `${name}::$DATA`,
    name.slice(0, last) + name.slice(last).replaceAll("e", "\uff45"),
  ];
}

describe("a name that a file system folds", () => {
  it.each([
    ...[
      ".GIT",
      ".git.",
      ".git ",
      ".git. .",
      ".git::$INDEX_ALLOCATION",
      ".g\u200cit",
      "\uff0egit",
      ".g\u0131t",
    ],
    ...[".gi\ufeff\u0074", ".\u24d6it"],
  ])("%j is .git", (name) => {
    expect(foldedParts(`src//./${name}`)).toEqual(["src", ".git"]);
    expect(protectedWrite(`a/${name}/config`)).toBeDefined();
  });
});

describe("names of secrets", () => {
  it("ask however they are spelled and wherever they are", () => {
    const missed = SECRETS.flatMap(spellings).filter((name) => secretName(name) === undefined);
    expect(missed).toEqual([]);
  });

  it("are not seen in templates, public keys, source code and texts", () => {
    expect(READABLE.filter((name) => secretName(name)).map((name) => `${name}: ${secretName(name)}`)).toEqual(
      [],
    );
    const deeper = READABLE.map((name) => `packages/a/${name}`);
    expect(deeper.filter((name) => secretName(name))).toEqual([]);
  });
});

describe("what something runs by itself", () => {
  it("asks when it is written, however it is spelled and wherever it is", () => {
    const onMac = "Library/Application Support/nekode/servers/a";
    const missed = [...STEERING, onMac]
      .flatMap(spellings)
      .filter((name) => protectedWrite(name) === undefined);
    expect(missed).toEqual([]);
  });

  it("is not seen in ordinary files of a project", () => {
    const asked = WRITABLE.flatMap((name) => [name, `packages/a/${name}`]).filter((name) =>
      protectedWrite(name),
    );
    expect(asked.map((name) => `${name}: ${protectedWrite(name)}`)).toEqual([]);
  });
});

describe("composer.json", () => {
  const before = '{"name":"a/b","require":{"c/d":"^1"}}';
  const steers = (after: string, from: string | undefined = before) =>
    manifestSteers(manifestReason("composer.json") ?? reasonOf("none"), from, after);

  it("asks for scripts, plugins and autoloaded files, and not for dependencies", () => {
    expect(steers('{"name":"a/b","require":{"c/d":"^2","e/f":"*"},"description":"x"}')).toBe(false);
    expect(steers('{"name":"a/b"}', undefined)).toBe(false);
    for (const section of [
      '"scripts":{"post-install-cmd":"x"}',
      '"config":{"allow-plugins":true}',
      '"autoload":{"files":["a.php"]}',
      '"autoload-dev":{"psr-4":{"A\\\\":"t/"}}',
      '"repositories":[{"type":"path","url":"../x"}]',
      '"extra":{"x":1}',
      '"bin":["x"]',
    ])
      expect(steers(before.replace("}}", `},${section}}`)), section).toBe(true);
    expect(steers("{")).toBe(true);
  });
});

describe("Cargo.toml", () => {
  const before = '[package]\nname = "a"\nversion = "0.1.0"\n\n[dependencies]\nserde = "1"\n';
  const steers = (after: string, from: string | undefined = before) =>
    manifestSteers(manifestReason("cargo.toml") ?? reasonOf("none"), from, after);

  it("asks for what a build runs, and for nothing else", () => {
    expect(steers(`${before}rand = "0.8"\n`)).toBe(false);
    expect(steers(before.replace("0.1.0", "0.2.0"))).toBe(false);
    expect(steers(before, undefined)).toBe(false);
    for (const line of [
      'build = "src/x.rs"',
      'package.build = "x.rs"',
      '"build" = "x.rs"',
      '"\\u0062uild" = "x.rs"',
      'evil = { path = "../evil" }',
      'evil = { git = "https://example.org/x" }',
      "[lib]\nproc-macro = true",
      '[patch.crates-io]\nserde = "2"',
      'links = "z"',
    ])
      expect(steers(before.replace('version = "0.1.0"', `version = "0.1.0"\n${line}`)), line).toBe(true);
  });
});
