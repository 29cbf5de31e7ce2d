/** The panel's HTML. Nothing in it may access the network: no connect-src, no remote source of any kind. */
import type { Boot } from "../../shared/protocol.ts";

export interface PageParts {
  /** Unguessable, new for each load. */
  nonce: string;
  /** The source from which the editor serves the extension's own files. */
  cspSource: string;
  scriptUri: string;
  styleUri: string;
  boot: Boot;
}

export function pageHtml({ nonce, cspSource, scriptUri, styleUri, boot }: PageParts): string {
  const policy = [
    "default-src 'none'",
    // The nonce allows the entry script; chunks that it imports later come from the extension's own folder.
    `script-src 'nonce-${nonce}' ${cspSource}`,
    `style-src 'nonce-${nonce}' ${cspSource}`,
    `font-src ${cspSource}`,
    `img-src ${cspSource} data:`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!DOCTYPE html>
<html lang="${attribute(boot.language)}">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${attribute(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta property="csp-nonce" nonce="${attribute(nonce)}">
<title>Nekode</title>
<link rel="stylesheet" href="${attribute(styleUri)}">
</head>
<body>
<div id="root"></div>
<script type="application/json" id="nekode-boot" nonce="${attribute(nonce)}">${scriptJson(boot)}</script>
<script type="module" nonce="${attribute(nonce)}" src="${attribute(scriptUri)}"></script>
</body>
</html>`;
}

function attribute(text: string): string {
  return text.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** JSON that cannot close its script element, whatever its strings contain. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
