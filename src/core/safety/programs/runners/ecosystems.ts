/**
 * Programs whose subcommands load what a repository configures: hooks, plugins, registries, build scripts, toolchains.
 * Their bare name on the list covers only what does not load it.
 */
import { type Reason, reasonOf } from "../../../../shared/reason.ts";
import type { ProgramCall } from "../profile.ts";
import { programOf } from "./runners.ts";

const names = (list: string) => list.split(/\s+/).filter((name) => name !== "");

/** Most programs load nothing from the repository to show their version. */
const SHOWS_VERSION = /^--(?:version|help)$/;
/** Programs that delegate to the version that the repository specifies, or load its plugins, for any command. */
const DELEGATES = new Set(
  names(
    "yarn yarnpkg pnpm corepack ni nr poetry pdm composer bundle bundler fastlane gradlew mvnw sbt mill bazel bazelisk buck2 pants grunt gulp nx turbo lerna rush ng next nuxt astro gatsby react-scripts vue-cli-service",
  ),
);

const CONFIGURED = new Set(
  names(`
    npm pnpm yarn yarnpkg bun deno corepack ni nr cargo go dotnet composer poetry pdm pipenv hatch rye uv pixi tox nox
    bundle bundler rake thor pod fastlane carthage gradle gradlew mvn mvnw mvnd ant sbt mill bazel bazelisk buck buck2 pants
    cmake ctest cpack meson ninja scons waf xmake just task mage invoke inv doit jake grunt gulp nx turbo lerna rush lage
    moon ng expo next nuxt astro gatsby react-scripts vue-cli-service wrangler firebase netlify vercel amplify serverless sls
    sam cdk cdktf pulumi terraform tofu terragrunt packer vagrant helmfile skaffold tilt garden devspace ansible
    ansible-playbook ansible-inventory ansible-lint salt puppet bolt pre-commit lefthook husky overcommit prisma knex
    sequelize typeorm drizzle-kit storybook sb cabal stack opam dune esy spago elm rebar3 gleam nimble dub shards vcpkg
    conan nix nix-build guix devbox devenv hugo jekyll mkdocs hexo eleventy quarto dbt alembic flask django-admin celery
    symfony drush wp coverage hg jj sl spack stencil tauri cordova ionic cap ug sift
  `),
);

/** Programs that install other programs. What they show comes from the system or their own folders. */
const INSTALLERS = new Set(
  names(`
    pip pipx gem brew apt apt-get aptitude dnf yum zypper pacman yay paru apk snap flatpak choco winget scoop conda mamba
    micromamba nuget luarocks cpan cpanm hex pub helm krew nix-env port emerge
  `),
);
const TELLS =
  /^(?:list|ls|ll|show|info|search|find|freeze|check|verify|why|depends|rdepends|deps|desc|help|version|status|licenses|policy|contents|which|cat|history|env|lint)$/;
/** Their search queries the index, which the repository may specify. */
const ASKS_INDEX = /^(?:pip|gem|conda|mamba|micromamba|nuget|luarocks|helm|hex|pub|cpan|cpanm)$/;

/** Programs that store secrets or sign in to services. Their bare name does not cover the words that print secrets. */
const SECRET_STORES = new Set(
  names(
    "aws gcloud az oci heroku fly flyctl vercel netlify doctl linode-cli ibmcloud op vault pass gopass secret-tool security keyring lpass bw bws rbw age ansible-vault kwallet-query kubectl oc gh glab hub npm circleci travis tsh argocd helm",
  ),
);
const SECRET_WORD =
  /^(?:auth|configure|config|get-access-token|print-(?:access|identity)-token|get-login.*|get-secret.*|get-session-token|get-parameters?.*|secrets?|secretsmanager|kv|ssm|sts|tokens?|credentials?|keys?|env|export|read|show|lookup|get|view|cat|decrypt|find-.*-password|dump-keychain|unlock|login)$/;
/** Programs with subcommands of these names that mostly show no secrets. */
const SHOWS_MORE = /^(?:kubectl|oc|gh|glab|hub|helm|npm|argocd)$/;

/** Returns why the bare name of such a program does not cover this call; otherwise undefined. */
export function notCovered({
  name,
  words,
  entry,
}: Pick<ProgramCall, "name" | "words" | "entry">): Reason | undefined {
  if (entry.length > 1) return undefined;
  const program = programOf(name);
  const texts = words.map(({ text }) => text);
  const verb = texts.find((text) => !text.startsWith("-")) ?? texts[0];
  if (verb === undefined) return undefined;
  if (SECRET_STORES.has(program)) {
    const odd = SHOWS_MORE.test(program)
      ? texts.find((text) => /^(?:auth|config|tokens?|secrets?|credentials?)$/.test(text))
      : texts.find((text) => SECRET_WORD.test(text));
    if (odd) return reasonOf("not-listed", `${name} ${odd}`);
  }
  const open = CONFIGURED.has(program)
    ? DELEGATES.has(program) || !(texts.length === 1 && onlyShowsVersion(program, verb))
    : INSTALLERS.has(program) &&
      !verb.startsWith("-") &&
      (!TELLS.test(verb) || (ASKS_INDEX.test(program) && /^(?:search|find|info)$/.test(verb)));
  return open ? reasonOf("not-listed", `${name} ${verb}`) : undefined;
}

function onlyShowsVersion(program: string, word: string): boolean {
  if (program === "go") return /^(?:version|help)$/.test(word);
  return SHOWS_VERSION.test(word) || (program === "cargo" && word === "-V");
}

/** Returns why the bare name of a service client does not cover a subcommand that has no table: it may do more than show. */
export function notShown({ name, words, entry }: ProgramCall): Reason | undefined {
  const verb = words[0]?.text ?? "";
  return entry.length > 1 || /^(?:-|version$|help$|$)/.test(verb)
    ? undefined
    : reasonOf("not-listed", `${name} ${verb}`);
}
