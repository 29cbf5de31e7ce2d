/** The texts in Japanese. This is the entry of a separate bundle, which loads where the user's language is Japanese. */
export { default as japanese } from "../../l10n/bundle.l10n.ja.json";
