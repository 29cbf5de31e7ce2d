/**
 * The words for reasons why an MCP server could not be used, or ended. What a server said is shown as its words, in quotation
 * marks.
 */
import type { McpReasons, ServerReasons, SignInReasons } from "../../reason.ts";
import type { WordsOf } from "./reason-table.ts";

export const mcpWords: WordsOf<McpReasons> = {
  "mcp-folder-missing": (t, path) => t("the server's folder {0} does not exist", path),
  "mcp-program-missing": (t, path) => t("the program {0} does not exist", path),
  "mcp-command-missing": (t, command) =>
    t(
      "the program {0} was not found on PATH; to run a program of the project, the configuration must contain its path",
      command,
    ),
  "mcp-start-failed": (t, detail) => t("the program could not be started ({0})", detail),
  "mcp-guard-missing": (t) => t("this installation does not include the program that ends servers"),
  "mcp-guard-failed": (t, detail) => t("the program that ends servers could not be started ({0})", detail),
  "mcp-exited": (t) => t("the server exited"),
  "mcp-exit-code": (t, code) => t("the server exited with code {0}", code),
  "mcp-ended-by": (t, signal) => t("the server was ended by {0}", signal),
  "mcp-nothing-to-run": (t) => t("the server's program, or a program that it needs, was not found"),
  "mcp-closed": (t) => t("the connection was closed"),
  "mcp-connection-lost": (t) => t("the connection to the server has ended"),
  "mcp-too-much": (t) => t("the server sent more than 10 MB at once"),
  "mcp-not-messages": (t) => t("the server printed more than 1 MB of text that is not a message"),
  "mcp-not-reading": (t) => t("the server does not read what is sent to it"),
  "mcp-timeout": (t, seconds) => t("the server did not answer within {0} s", seconds),
  "mcp-answer-invalid": (t, detail) => t("the server sent an answer that is not valid ({0})", detail),
  "mcp-version": (t) => t("the server supports no protocol version that Nekode supports"),
  "mcp-error": (t, said) => t("the server answered with an error: “{0}”", said),
  "mcp-status": (t, said) => t("the server's HTTP response was “{0}”", said),
  "mcp-denied": (t, said) => t("the server denied access: “{0}”", said),
  "mcp-redirects": (t, status) =>
    t("the server redirects to another address, which is not followed (HTTP {0})", status),
  "mcp-header-refused": (t) => t("the server does not accept the configured Authorization header"),
  "mcp-too-many-questions": (t) => t("the server asked for more input too many times"),
  "mcp-address-declined": (t) =>
    t("the call requires you to visit an address, and you did not agree to visit it"),
  "mcp-connection-refused": (t, address) => t("no server accepts connections at {0}", address),
  "mcp-certificate": (t, detail) =>
    t("this computer does not trust the certificate of the server ({0})", detail),
  "mcp-unreachable": (t, detail) => t("the server cannot be reached ({0})", detail),
  "mcp-failed": (t, detail) => t("the connection to the server failed ({0})", detail),
  "mcp-sign-in": (t) => t("the server requires you to sign in"),
  "mcp-off": (t) => t("the server is disabled"),
  "mcp-managed": (t, managedBy, hash) => t("{0} does not allow this server (hash {1})", managedBy, hash),
  "mcp-unapproved": (t) => t("you have not approved the server"),
  "mcp-untrusted-workspace": (t) => t("no server starts in a workspace that you do not trust"),
  "mcp-gave-up": (t, times) =>
    t("the server failed {0} times in a row and is not restarted; restart it in the list of servers", times),
  "mcp-config-changed": (t) => t("the configuration changed in the meantime"),
  "mcp-unknown": (t, name) => t("no MCP server is named {0}", name),
};

export const signInWords: WordsOf<SignInReasons> = {
  "sign-in-none": (t) => t("Nekode does not sign in to this server"),
  "sign-in-no-browser": (t) => t("no browser could be opened"),
  "sign-in-no-metadata": (t, issuer) => t("the authorization server {0} publishes no metadata", issuer),
  "sign-in-no-pkce": (t, issuer) =>
    t("the authorization server {0} does not support PKCE, which protects the sign-in", issuer),
  "sign-in-insecure": (t, address) =>
    t("{0}, an address of the authorization server, is not secure: it must be an https address", address),
  "sign-in-private": (t, address) =>
    t(
      "{0}, an address of the authorization server, is on this computer or a private network, but the MCP server is not",
      address,
    ),
  "sign-in-other-metadata": (t, issuer) =>
    t("the metadata of the authorization server {0} names another authorization server", issuer),
  "sign-in-other-resource": (t) => t("the server's sign-in metadata names another server"),
  "sign-in-not-registered": (t, said) => t("the authorization server does not register Nekode: “{0}”", said),
  "sign-in-no-registration": (t) =>
    t("the authorization server does not allow applications such as Nekode to register"),
  "sign-in-unsupported": (t, detail) =>
    t("the authorization server does not support what Nekode requires ({0})", detail),
  "sign-in-status": (t, status) => t("the authorization server responded with HTTP status {0}", status),
  "sign-in-invalid": (t, detail) => t("the authorization server sent an invalid response ({0})", detail),
  "sign-in-late": (t) => t("the authorization server did not answer in time"),
  "sign-in-no-address": (t) => t("the authorization server names no address to visit"),
  "sign-in-unanswered": (t, minutes) => t("there was no answer within {0} minutes", minutes),
  "sign-in-other-state": (t) => t("the answer does not belong to this sign-in (its state is wrong)"),
  "sign-in-other-issuer": (t, issuer) =>
    t("the answer does not come from the authorization server {0} (its issuer is wrong)", issuer),
  "sign-in-denied": (t, said) => t("access was denied: “{0}”", said),
  "sign-in-no-code": (t) => t("the answer contains no code"),
  "sign-in-code-refused": (t, said) =>
    t("the authorization server no longer accepts this sign-in; sign in again: “{0}”", said),
  "sign-in-refused": (t, said) => t("the authorization server refused: “{0}”", said),
  "sign-in-no-token": (t) => t("the authorization server sent no token"),
};

/** Whether a reason says why an MCP server could not be used. */
export function isServerReason(code: string): boolean {
  return Object.hasOwn(mcpWords, code) || Object.hasOwn(signInWords, code);
}

/** The words for what is wrong in a configuration file of MCP servers. */
export const serverWords: WordsOf<ServerReasons> = {
  "not-json": (t) => t("the file is not valid JSON, so none of its servers are used"),
  "unknown-key": (t, key) => t("{0} is not supported and is ignored", key),
  "must-be-string": (t, key) => t("{0} must be a string", key),
  "must-be-number": (t, key) => t("{0} must be a number", key),
  "must-be-boolean": (t, key) => t("{0} must be true or false", key),
  "must-be-list": (t, key) => t("{0} must be a list", key),
  "must-be-object": (t, key) => t("{0} must be an object", key),
  "must-be-scalar": (t, key) => t("{0} must be a string, a number, true or false", key),
  "must-be-one-of": (t, key, values) => t("{0} must be one of: {1}", key, values),
  "must-be-between": (t, key, least, most) => t("{0} must be between {1} and {2}", key, least, most),
  "must-not-be-empty": (t, key) => t("{0} must not be empty", key),
  "invalid-value": (t, key) => t("the value of {0} is not valid", key),
  "server-name-unusable": (t, name) =>
    t("{0} cannot be used as a name, which consists of letters from a to z, digits, - and _", name),
  "server-renamed": (t, name) =>
    t("the name is used as {0}, because it may contain only letters from a to z, digits, - and _", name),
  "server-repeated": (t) => t("the file has a later entry with this name, which is used instead"),
  "server-hidden": (t, file) => t("another entry with this name is used instead, from {0}", file),
  "server-incomplete": (t) => t("the entry has no command and no url"),
  "server-command-and-url": (t) => t("the entry has both a command and a url"),
  "server-key-missing": (t, key, type) => t("{0} is missing, which the type {1} requires", key, type),
  "server-env-file": (t) => t("envFile is not supported; set its variables in env"),
  "project-approves-tools": (t) =>
    t("a project cannot allow tools to run without asking, so its list of such tools is ignored"),
  "input-undefined": (t, id) => t("inputs has no usable entry with the id {0}", id),
};
