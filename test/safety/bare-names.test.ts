/** What the name of a program alone, or a command that was stored, lets through: never what a repository configures. */
import { describe, expect, it } from "vitest";
import { approvalPrefix } from "../../src/core/safety/commands/approval-prefix.ts";
import { INTERPRETERS, RUNNERS } from "../../src/core/safety/programs/runners/runners.ts";
import { judgeCommand } from "./judge.ts";

const verdict = async (command: string, entry: string) =>
  (await judgeCommand(command, { shell: "bash", allow: [entry], deny: [] })).verdict;

/** They load nothing of the repository. */
const TELLS = `
  cargo --version
  cargo -V
  npm --version
  go version
  gradle --version
  mvn --version
  dotnet --version
  terraform --version
  just --version
  uv --version
  pip list
  pip show x
  gem list
  docker ps
  kubectl get pods
  gh pr list
  brew list
  apt show x
  arch
`;

/** What the user saw is covered as before. */
const LISTED = `
  npm ls
  npm outdated
  npm test
  pnpm test
  yarn test
  pnpm ls
  cargo check
  cargo clippy
  go list ./...
  go test
  poetry show
  bundle list
  composer validate
  dotnet build
  terraform validate
  mvn test
  gradle tasks
  coverage report
  just build
  ./gradlew test
`;

const NOT_STORED = `
  ./deploy.sh
  ./gradlew test
  scripts/build x
  ../x
  ~/x.sh
  node_modules/.bin/eslint src
  deploy.sh
  pytest tests/test_a.py
  vitest run test/a.test.ts
  jest a.spec.js
  mocha -r ./setup x
  foo x.sh
  foo --config=x.js
  pylint --load-plugins=x src
  mocha --require x
  jekyll build --plugin x
  fd -x touch
  fd --exec touch
  arch -x86_64 ls
  git-shell -c x
  /lib64/ld-linux-x86-64.so.2 ./x
  ld.so ./x
  qemu-aarch64 ./x
  s6-setuidgid x ls
  setpriv ls
  coverage run x
  coverage run -m pytest
  composer run-script x
  cabal exec ls
  bazel run //x
  sops exec-env x ls
  rpm --eval x
  cmake -P x
  cmake -E touch x
  jobs -x ls
  awk -f x.awk a.txt
  awk -fx.awk a.txt
  gawk -E x.awk
  gawk -i x '{print}' a.txt
  awk '{system($0)}' a.txt
  awk '{system($0)}' f
  awk -F , '{system($0)}' f
  awk '{print | "sh"}' a.txt
  sed -f x.sed a.txt
  sed -nf x.sed a.txt
  sed --file=x.sed a.txt
  sed e a.txt
  sed '1e id' a.txt
  sed s/a/id/e a.txt
  sed 's/a/b/;s/.*/id/ge' a.txt
  jq -f x.jq a.json
  jq --from-file x.jq a.json
`;

const STORED = `
  eslint src/a.ts
  prettier --check src/a.ts
  ruff check a.py
  cat a.sh
  grep -n x a.py
  coverage report
  /usr/bin/ls -la
  docker ps
  vitest run
  pytest -x
  tsc --noEmit
  awk '{print $1}' a.txt
  sed -i s/a/b/ file.txt
  sed -n /these/p some/file.txt
  jq .a a.json
`;

const lines = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

const PRINTS_SECRETS = `
  aws configure get aws_secret_access_key
  aws secretsmanager get-secret-value --secret-id x
  aws --profile x sts get-session-token
  aws ecr get-login-password
  gcloud auth print-access-token
  az account get-access-token
  heroku config
  op read op://x/y
  vault kv get x
  pass show x
  secret-tool lookup a b
  security find-generic-password -w
  security dump-keychain
  keyring get a b
  gh auth token
  kubectl config view
  npm config get x
  ansible-vault view x
`;

describe("the name of a program on the list", () => {
  it("covers nothing that prints what it keeps", async () => {
    for (const command of lines(PRINTS_SECRETS))
      expect(await verdict(command, command.split(" ")[0] ?? ""), command).toBe("ask");
    for (const command of [
      "aws s3 ls",
      "heroku ps",
      "kubectl get pods",
      "gh pr list",
      "az account list",
      "vault status",
    ])
      expect(await verdict(command, command.split(" ")[0] ?? ""), command).toBe("allow");
  });

  it("covers what loads nothing of the repository", async () => {
    for (const command of lines(TELLS)) {
      expect(await verdict(command, command.split(" ")[0] ?? ""), command).toBe("allow");
    }
  });

  it("covers no subcommand that does; an entry that names the subcommand does", async () => {
    for (const command of lines(LISTED)) {
      expect(await verdict(command, command), command).toBe("allow");
      if (!/^\.\//.test(command))
        expect(await verdict(command, command.split(" ")[0] ?? ""), command).toBe("ask");
    }
  });

  it("covers no runner and no interpreter, whatever follows it", async () => {
    for (const name of [...RUNNERS, ...INTERPRETERS]) {
      for (const command of [`${name} touch x`, `${name} -c ./x`])
        expect(await verdict(command, name), command).toBe("ask");
    }
  });
});

describe("always allow this", () => {
  it("stores nothing that names a script or a runner", () => {
    for (const command of lines(NOT_STORED)) expect(approvalPrefix(command, "bash"), command).toBeUndefined();
    for (const name of [...RUNNERS, ...INTERPRETERS]) {
      for (const command of [`${name} touch x`, `${name} x`, `/usr/bin/${name} x`, `${name}.exe x`])
        expect(approvalPrefix(command, "bash"), command).toBeUndefined();
    }
    for (const command of [".\\x.bat", "x.bat", "x.ps1 -a", "build.cmd", "scripts\\x"])
      expect(approvalPrefix(command, "powershell"), command).toBeUndefined();
  });

  it("stores what only reads", () => {
    for (const command of lines(STORED)) expect(approvalPrefix(command, "bash"), command).toBe(command);
  });
});

describe("the names of runners and interpreters", () => {
  it("are each in one list", () => {
    expect([...RUNNERS].filter((name) => INTERPRETERS.has(name))).toEqual([]);
  });
});
