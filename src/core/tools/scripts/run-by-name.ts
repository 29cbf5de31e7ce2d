/** Files that programs read implicitly, without the command naming them. */
import { programOf } from "../../safety/programs/runners.ts";

const IMPLIED: Readonly<Record<string, readonly string[]>> = {
  npm: ["package.json"],
  npx: ["package.json"],
  pnpm: ["package.json"],
  yarn: ["package.json"],
  bun: ["package.json"],
  deno: ["deno.json", "deno.jsonc"],
  make: ["GNUmakefile", "makefile", "Makefile"],
  gmake: ["GNUmakefile", "makefile", "Makefile"],
  bmake: ["BSDmakefile", "makefile", "Makefile"],
  just: ["justfile", "Justfile", ".justfile"],
  rake: ["Rakefile", "rakefile", "Rakefile.rb", "rakefile.rb"],
  cargo: ["Cargo.toml", "build.rs", ".cargo/config.toml"],
  docker: ["Dockerfile", "compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml"],
  "docker-compose": ["compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml"],
  podman: ["Containerfile", "Dockerfile"],
  task: ["Taskfile.yml", "Taskfile.yaml", "Taskfile.dist.yml", "Taskfile.dist.yaml"],
  mage: ["magefile.go"],
  gradle: ["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"],
  gradlew: ["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"],
  mvn: ["pom.xml"],
  mvnw: ["pom.xml"],
  ant: ["build.xml"],
  sbt: ["build.sbt"],
  grunt: ["Gruntfile.js", "Gruntfile.cjs", "Gruntfile.ts"],
  gulp: ["gulpfile.js", "gulpfile.cjs", "gulpfile.mjs", "gulpfile.ts"],
  composer: ["composer.json"],
  tox: ["tox.ini", "pyproject.toml"],
  nox: ["noxfile.py"],
  pytest: ["conftest.py", "pytest.ini", "pyproject.toml"],
  invoke: ["tasks.py"],
  inv: ["tasks.py"],
  doit: ["dodo.py"],
  scons: ["SConstruct"],
  mix: ["mix.exs"],
  ninja: ["build.ninja"],
  vagrant: ["Vagrantfile"],
};

/** Names of the files that this program reads from its working folder; none for an unknown program. */
export function runByName(program: string): readonly string[] {
  const name = programOf(program);
  return Object.hasOwn(IMPLIED, name) ? (IMPLIED[name] ?? []) : [];
}
