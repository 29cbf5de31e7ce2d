/** Recognizes files that contain credentials by their names. All names are folded (folded-names.ts). */
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import { foldedParts, isShortName } from "./folded-names.ts";

const words = (list: string) => new Set(list.split(/\s+/).filter((word) => word !== ""));

/** Folders whose whole content counts, at any depth. */
const FOLDERS = words(`
  .ssh .gnupg .aws .azure .kube .gcloud .oci .aliyun .tccli .ibmcloud .bluemix .talos .password-store .1password .envs .secrets
  .cloudflared .ngrok2 .databricks .snowsql
`);

/** Names that count both for files and for folders. */
const ANYWHERE = words(`
  id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk id_ed25519_sk id_xmss
  .netrc _netrc .git-credentials .gitcookies .npmrc .yarnrc .yarnrc.yml .pypirc .envrc
  .pgpass pgpass.conf .pg_service.conf .my.cnf .mylogin.cnf .htpasswd .htdigest
  .vault-token .terraformrc terraform.rc .dockercfg .dockerconfigjson .s3cfg .boto .passwd-s3fs .databrickscfg
  .authinfo .smbcredentials .msmtprc .fetchmailrc .offlineimaprc .mbsyncrc .cvspass wallet.dat ntuser.dat
`);

const ANYWHERE_PATTERNS = [
  /^\.env/,
  /\.(?:pem|key|p12|pfx|p8|pk8|pvk|snk|jks|jceks|bks|keystore|kdb|kdbx|psafe3|ppk|gpg|ovpn|keytab|agekey|keychain|keychain-db|agilekeychain|opvault|publishsettings)$/,
  /\.tfvars(?:\.json)?$/,
  /\.tfstate(?:\.[\w.-]+)?$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519|xmss)(?!.*\.pub$)/,
  /^ssh_host_\w+_key$/,
];

/** Names that count only as the last segment of a path, because source folders have them too. */
const FILES = words(`
  identity credentials .credentials shadow gshadow sudoers sam keyring login.keyring
  credentials.json credentials.toml rootkey.csv accesskeys.csv application_default_credentials.json adc.json
  auth.json .auth.json oauth_creds.json oauth.json .claude.json kaggle.json access_tokens.db credentials.db
  token.json token.pickle .token .pass .password .passwd .apikey .api_key .secret .secrets
  pip.conf pip.ini .condarc nuget.config settings-security.xml local.properties keystore.properties key.properties signing.properties
  kubeconfig talosconfig k3s.yaml .dev.vars .vars local.settings.json rclone.conf .rclone.conf ngrok.yml
  logins.json key3.db key4.db cookies.sqlite filezilla.xml recentservers.xml sitemanager.xml
  sftp-config.json sftp.json .ftpconfig .remote-sync.json wp-config.php profiles.yml odbc.ini .odbc.ini .curlrc .wgetrc
  .vault_pass .vault-pass .ansible_vault_pass vault_pass.txt vault-password vault_password .muttrc sec.conf
  consolehost_history.txt fish_history .histfile .zhistory
`);

/** Extensions of data files, as opposed to source code and prose. */
const DATA =
  "(?:json[c5]?|ya?ml|toml|ini|env|txt|cfg|conf|config|csv|xml|properties|plist|asc|der|bak|old|orig)";
/** Names of an environment or a variant, between a name and its extension. */
const VARIANT =
  "(?:[-_.](?:prod|production|dev|devel|development|stag|staging|stage|test|testing|qa|uat|ci|local|live|release|beta|private|admin|root|user|app|db|database|aws|gcp|azure|google|github|gitlab|firebase|k8s|docker|backup|bak|old|copy|[a-z]{2,3}-[a-z]+-\\d|\\d+))*";

const FILE_PATTERNS = [
  // An environment file by its extension: prod.env, docker.env, app.env.local.
  /^\w[\w.-]*\.env(?:\.(?:local|prod|production|dev|development|staging|stage|test|qa|live|ci|bak|backup|old|orig|save|vault|keys))*$/,
  /^env\.(?:local|prod|production|dev|development|staging|stage|live)$/,
  /^\.dev\.vars/,
  // Any private key without an extension: id_work, id_github.
  /^id_[a-z0-9]+(?:[_-][a-z0-9]+)*$/,
  /^(?:.*[-_.])?private[-_.]?keys?(?:\.(?:txt|json|asc|der|b64|base64|bak|old))?$/,
  /^(?:.*[-_.])?kubeconfig(?:[-_][\w-]+)?(?:\.(?:ya?ml|json|conf|cfg|config|txt|bak|old|local|prod|dev|staging))*$/,
  /^kubernetes[-_.]admin\.conf$/,
  // Service accounts of Google Cloud and Firebase, whatever the project's name.
  /(?:firebase[-_]?adminsdk|service[-_]?account|client[-_]?secret|gha-creds).*\.json$/,
  /^(?:.*[-_.])?(?:gcp|gcs|gcloud|google|sa|service|firebase|play-?store|api|aws|azure)[-_]?(?:creds?|keys?|keyfile)(?:[-_.].*)?\.json$/,
  new RegExp(`^\\.?(?:[\\w-]+[-_.])?(?:secrets?|credentials?|creds)${VARIANT}\\.${DATA}$`),
  new RegExp(
    `^\\.?(?:[\\w-]+[-_.])?(?:api[-_]?keys?|access[-_]?keys?|(?:access|auth|oauth|refresh|bearer|bot|api|github|gitlab|slack|npm|discord|vault|session)[-_]?tokens?|passwords?|passwd|passphrases?)${VARIANT}\\.${DATA}$`,
  ),
  /^\.?token\.txt$/,
  /^wg\d+\.conf$/,
  /^\.[a-z0-9_.-]*history$/,
  /^(?:secring|private-keys)\./,
];

/** Pairs of consecutive names that count, at any depth: the second name alone does not. */
const PAIRS = [
  /^\.docker\/config\.json$/,
  /^\.config\/(?:gcloud|gh|glab-cli|hub|op|doctl|hcloud|scw|linode-cli|rclone|configstore|github-copilot|anthropic|openai|stripe|netlify|vercel|heroku|sops|age|borg|\.wrangler|\.jira|google-chrome|chromium|bitwarden cli)$/,
  /^etc\/(?:passwd|ssh|ssl|krb5\.keytab)$/,
  /^kubernetes\/admin\.conf$/,
  /^(?:\.cargo|\.gem|\.sbt|\.ivy2|\.pulumi|\.terraform\.d)\/\.?credentials.*$/,
  /^\.bundle\/config$/,
  /^\.m2\/settings\.xml$/,
  /^\.gradle\/gradle\.properties$/,
  /^\.composer\/auth\.json$/,
  /^\.subversion\/auth$/,
  /^(?:\.huggingface|huggingface|\.supabase|\.netlify|\.vercel|\.railway|\.fly|\.sentry|\.wrangler|\.codex|\.claude)\/(?:token|access-token|auth\.json|config\.json|config\.yml|config|\.credentials\.json)$/,
  /^age\/keys\.txt$/,
  /^\.?secrets\/[^.]+(?:\.(?:json|ya?ml|toml|ini|env|txt|cfg|conf|properties))?$/,
];

/** Git's own settings and logs, including those of submodules: a remote's address often contains a token. */
const GIT_CONFIG =
  /(?:^|\/)[^/]*\.git\/(?:(?:modules|worktrees)\/(?:.+\/)?)?(?:config|config\.worktree|credentials|fetch_head|(?:logs|remotes|branches)\/.+|logs)$/;

/** Templates for the real file, public halves of keys, and program names. */
const HARMLESS = [
  /(?:^|[-_.])(?:example|examples|sample|template|tmpl|tpl|schema|skeleton)(?:\.(?:json[c5]?|ya?ml|toml|ini|env|txt|cfg|conf|csv|xml|properties|tfvars|php))?$/,
  /\.(?:dist|defaults?|pub)$/,
  /\.d\.[cm]?ts$/,
  /^(?:process|import\.meta|deno|bun|os)\.env$/,
];

/** Translated texts are named after their pages, for example `auth.json`. */
const TRANSLATIONS = words("locales locale i18n l10n lang langs languages translations messages");

/** Returns why reading this path asks; otherwise undefined. */
export function secretName(path: string): Reason | undefined {
  const parts = foldedParts(path);
  const isTranslated = parts.slice(0, -1).some((part) => TRANSLATIONS.has(part));
  for (const [i, part] of parts.entries()) {
    if (FOLDERS.has(part)) return reasonOf("secret-file", part);
    const two = `${part}/${parts[i + 1] ?? ""}`;
    if (PAIRS.some((pattern) => pattern.test(two))) return reasonOf("secret-file", two);
    const isNamed = i === parts.length - 1 && !isTranslated;
    if (isSecret(part, isNamed)) return reasonOf("secret-file", part);
    if (part === "proc" && i === 0 && /^[\\/]/.test(path)) return reasonOf("other-programs-memory");
  }
  const git = GIT_CONFIG.exec(parts.join("/"));
  if (git) return reasonOf("secret-file", git[0].replace(/^\//, ""));
  const short = path.split(/[\\/]+/).find((part) => isShortName(part));
  return short === undefined ? undefined : reasonOf("short-name", short);
}

/** `isNamed`: the path names this file itself, not something in a folder of that name. */
function isSecret(name: string, isNamed: boolean): boolean {
  if (HARMLESS.some((pattern) => pattern.test(name))) return false;
  if (ANYWHERE.has(name) || ANYWHERE_PATTERNS.some((pattern) => pattern.test(name))) return true;
  return isNamed && (FILES.has(name) || FILE_PATTERNS.some((pattern) => pattern.test(name)));
}

/** Names against which a pattern with wildcards is tested. */
export const SECRET_SAMPLES = [
  ".env",
  ".env.local",
  ".env.production",
  "prod.env",
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
  "kubeconfig",
  "credentials",
];
