/** Why a connection cannot be used, what the user can do about it, and the label of the button that does it. */
import { presetOf } from "../models/connection-presets.ts";
import type { ConnectionField, ConnectionProblem } from "../models/connection-problem.ts";
import type { Translate } from "./task-words.ts";

export function connectionFieldText(t: Translate, field: ConnectionField): string {
  switch (field) {
    case "key":
      return t("API key");
    case "baseUrl":
      return t("Base URL");
    case "model":
      return t("Model");
    case "name":
      return t("Connection");
  }
}

/** What is wrong, and what to do. */
export function connectionProblemText(t: Translate, { code, subject }: ConnectionProblem): string {
  switch (code) {
    case "no-key":
      return t("{0} requires an API key.", subject);
    case "key-of-another":
      return t("This is an API key of {0}.", subject);
    case "bad-key":
      return t("{0} rejected the API key.", subject);
    case "unusable-key":
      return t("The API key contains invalid characters. Copy the key again.");
    case "no-address":
      return t("Enter the base URL of the endpoint.");
    case "bad-address":
      return t("{0} is not a valid URL. It must begin with http:// or https://.", subject);
    case "placeholder":
      return t("Replace {0} with the name of your resource.", subject);
    case "no-version":
      return t("No API was found at {0}, but there is one at another path.", subject);
    case "extra-path":
      return t("The base URL must end with the version, without a path such as {0}.", subject);
    case "wants-https":
      return t("{0} is not encrypted, so others could read your API key. Use https.", subject);
    case "wants-http":
      return t("The server at {0} answers without encryption. Use http.", subject);
    case "untrusted-certificate":
      return t(
        "This computer does not trust the certificate of {0}. Install the certificate of the authority that issued it, or set NODE_EXTRA_CA_CERTS to its file.",
        subject,
      );
    case "web-page":
      return t("{0} answered with a web page, not with an API. Check the base URL.", subject);
    case "no-list":
      return t(
        "No list of models was found at {0}. Check the base URL, or enter the model yourself.",
        subject,
      );
    case "no-models":
      return t("The server at {0} has no models. Install or load one, then try again.", subject);
    case "unknown-model":
      return t("The endpoint has no model named {0}.", subject);
    case "unreachable":
      return t("Could not connect to {0}. Check that it is running and that the URL is correct.", subject);
    case "timeout":
      return t("{0} did not answer in time.", subject);
    case "redirected":
      return t(
        "{0} redirects to another URL. Nekode does not send your API key and conversation there. If you trust that URL, use it as the base URL.",
        subject,
      );
    case "refused":
      return t("{0} rejected the request.", subject);
    case "unusable-header":
      return t("The header {0} in Settings is not valid and cannot be sent.", subject);
    case "no-connection":
      return t("There is no connection named {0}.", subject);
  }
}

/** The button that applies the change. */
export function connectionFixText(t: Translate, fix: NonNullable<ConnectionProblem["fix"]>): string {
  return fix.type === "address" ? t("Use {0}", fix.baseUrl) : t("Set up {0}", presetOf(fix.preset).title);
}

/** What a check of a connection found. */
export function connectionWorksText(t: Translate, name: string, models: number): string {
  return models === 1
    ? t("{0} works. It offers 1 model.", name)
    : t("{0} works. It offers {1} models.", name, models);
}
