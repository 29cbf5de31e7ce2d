/** The words for what is wrong in a configuration file of MCP servers. */
import type { ServerReasons } from "../../reason.ts";
import type { WordsOf } from "./reason-table.ts";

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
