/** Which files steer what runs or hold secrets. Everything here is judged on folded names (names.ts). */
import { foldedParts, isShortName } from "./names.ts";

const words = (list: string) => new Set(list.split(/\s+/).filter((word) => word !== ""));

/** Folders whose whole content is protected, wherever they stand. */
const FOLDERS = words(
  ".git .hg .svn .jj .vscode .vscode-server .vscode-insiders .idea .vs .zed .fleet .devcontainer .github .gitlab .circleci .buildkite .ci .forgejo .gitea .woodpecker .husky .githooks .lefthook .clinerules .cline .cursor .windsurf .roo .roorules .kilocode .continue .claude .codex .gemini .kiro .augment .junie .amazonq .aider .opencode .goose .agents .trae .ssh .gnupg .aws .azure .kube .docker",
);

/** Files that are protected by name, wherever they stand. */
const FILES = words(`
  agents.md agent.md agents.override.md claude.md claude.local.md gemini.md copilot-instructions.md .cursorrules .windsurfrules .roomodes .goosehints .clineignore .cursorignore .rules
  .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .mkshrc .cshrc .tcshrc .login .logout .inputrc .xprofile .xinitrc .xsession .xsessionrc .pam_environment config.fish profile.ps1 autoexec.bat
  .gitconfig .gitattributes .gitmodules .gitignore_global .lfsconfig .hgrc head
  .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pnpmfile.mjs pnpm-workspace.yaml bunfig.toml .noderc .mise.toml mise.toml .tool-versions .pypirc pip.conf pip.ini .condarc .curlrc .wgetrc .netrc _netrc .vimrc .exrc .nvimrc .gdbinit .lldbinit .screenrc .tmux.conf .editrc
  .devcontainer.json .gitlab-ci.yml .gitlab-ci.yaml .travis.yml .drone.yml .appveyor.yml appveyor.yml jenkinsfile bitbucket-pipelines.yml azure-pipelines.yml azure-pipelines.yaml .cirrus.yml .woodpecker.yml codemagic.yaml cloudbuild.yaml buildspec.yml .semaphore
  .pre-commit-config.yaml .pre-commit-hooks.yaml lefthook.yml lefthook.yaml .lefthook.yml .lefthook.yaml lefthook-local.yml .overcommit.yml .huskyrc .huskyrc.json .lintstagedrc .lintstagedrc.json .simple-git-hooks.json
  launch.json.user sitecustomize.py usercustomize.py
`);

const GIT_HOOKS = words(
  "applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit pre-rebase post-checkout post-merge pre-push pre-receive update proc-receive post-receive post-update reference-transaction push-to-checkout pre-auto-gc post-rewrite sendemail-validate fsmonitor-watchman p4-changelist p4-prepare-changelist p4-post-changelist p4-pre-submit post-index-change",
);

const PATTERNS = [
  /^\.nekode/,
  /^\.env/,
  /\.code-workspace$/,
  /(?:^|[._-])mcp(?:[._-].*)?\.(?:json[c5]?|toml|ya?ml)$/,
  /^claude_desktop_config\.json$/,
  /_?profile\.ps1$/,
  /\.(?:instructions|prompt|chatmode|agent)\.md$/,
  /^\.aider/,
  /^azure-pipelines.*\.ya?ml$/,
];

/** The one reason that the content of a write can remove: see packageScriptsChanged. */
export const PACKAGE_SCRIPTS = "package.json holds scripts that run by name";

/**
 * Why writing here always asks, or undefined. `path` is relative to the project (or whatever is judged of an
 * outside path). `package.json` counts: its scripts run by name; see packageScriptsChanged.
 */
export function protectedWrite(path: string): string | undefined {
  const parts = foldedParts(path);
  const raw = path.split(/[\\/]+/);
  for (const [i, part] of parts.entries()) {
    const last = i === parts.length - 1;
    if (FOLDERS.has(part) || part.startsWith(".nekode")) return `${part} steers what runs`;
    if (part === ".config" && /^(?:git|fish|nekode|autostart|systemd|powershell)$/.test(parts[i + 1] ?? ""))
      return `.config/${parts[i + 1]} steers what runs`;
    if (part === "hooks" && GIT_HOOKS.has(parts[i + 1] ?? "")) return "a git hook";
    if (/^\.env/.test(part)) return `${part} holds secrets`;
    if (last && part === "package.json") return PACKAGE_SCRIPTS;
    if (FILES.has(part) || PATTERNS.some((pattern) => pattern.test(part))) return `${part} steers what runs`;
  }
  const short = raw.find((part) => isShortName(part));
  if (short !== undefined) return `${short} may be the short name of a protected file`;
  return secretName(path);
}

const SECRET_FOLDERS = words(".ssh .gnupg .aws .azure .kube .gcloud .oci .password-store .1password");
const SECRET_FILES = words(
  "id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk id_ed25519_sk identity .netrc _netrc .npmrc .pypirc .git-credentials .pgpass .my.cnf .mylogin.cnf .htpasswd .envrc .vault-token .terraformrc credentials credentials.json credentials.toml secrets.json secrets.yml secrets.yaml secrets.toml secrets.env application_default_credentials.json terraform.tfstate shadow gshadow sudoers .bash_history .zsh_history .python_history .node_repl_history .psql_history .mysql_history .dockercfg .s3cfg .boto wallet.dat consolehost_history.txt ntuser.dat sam master.key .authinfo .authinfo.gpg",
);
const SECRET_PATTERNS = [
  /^\.env/,
  /\.(?:pem|key|p12|pfx|p8|jks|keystore|kdbx|ppk|gpg|ovpn|tfvars|keytab)$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?!.*\.pub$)/,
  /^(?:service[-_]?account|firebase-adminsdk|gcp-key|client_secret).*\.json$/,
  /^\.?(?:secret|secrets|credentials?)(?:\.[a-z]+)?\.(?:json|ya?ml|toml|ini|env|txt|cfg|conf)$/,
  /_history$/,
];

/** Why reading here asks, or undefined. */
export function secretName(path: string): string | undefined {
  const parts = foldedParts(path);
  for (const [i, part] of parts.entries()) {
    if (SECRET_FOLDERS.has(part) || SECRET_FILES.has(part) || SECRET_PATTERNS.some((p) => p.test(part)))
      return `${part} may hold secrets`;
    const two = `${part}/${parts[i + 1] ?? ""}`;
    if (
      /^(?:\.docker\/config\.json|\.config\/(?:gcloud|gh|hub|op)|etc\/(?:passwd|ssh|ssl)|\.cargo\/credentials.*|\.gem\/credentials|\.m2\/settings\.xml|\.gradle\/gradle\.properties|\.composer\/auth\.json)$/.test(
        two,
      )
    ) {
      return `${two} may hold secrets`;
    }
    if (part === "proc" && i === 0 && /^[\\/]/.test(path))
      return "/proc shows other programs' memory and environment";
  }
  const short = path.split(/[\\/]+/).find((part) => isShortName(part));
  return short === undefined ? undefined : `${short} may be the short name of a file with secrets`;
}

/** Names that a pattern with wild cards is tried against. */
export const SECRET_SAMPLES = [
  ".env",
  ".env.local",
  ".env.production",
  "id_rsa",
  "id_ed25519",
  "server.pem",
  "server.key",
  "private.key",
  ".npmrc",
  ".netrc",
  ".git-credentials",
  ".ssh",
  ".aws",
  ".gnupg",
  "cert.p12",
  "secrets.yml",
];

/**
 * What no tool runs. Dependencies run when they are installed, which asks by itself; a section that is not listed
 * (scripts, husky, lint-staged, gitHooks, jest, packageManager, ...) may name what runs.
 */
const DESCRIPTIVE = words(
  "name displayName version description keywords author contributors maintainers license homepage bugs repository funding private publisher dependencies devDependencies peerDependencies peerDependenciesMeta optionalDependencies bundledDependencies bundleDependencies overrides resolutions engines os cpu type main module browser types typings typesVersions exports imports files directories man sideEffects browserslist publishConfig categories icon badges contributes activationEvents l10n extensionKind extensionDependencies capabilities",
);

/** Whether a new package.json differs from the old one in a section that may run something. Unreadable ones do. */
export function packageScriptsChanged(before: string | undefined, after: string): boolean {
  const old = parsePackage(before ?? "{}");
  const now = parsePackage(after);
  if (!old || !now) return true;
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  return names.some(
    (name) => !DESCRIPTIVE.has(name) && JSON.stringify(old[name]) !== JSON.stringify(now[name]),
  );
}

function parsePackage(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
