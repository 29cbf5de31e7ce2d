import { type Reason, reasonOf } from "../../../shared/reason.ts";
import { foldedParts, isDeviceName } from "../paths/folded-names.ts";
import type { Word } from "../shells/shell-words.ts";

/** Cmdlets that only show, and their aliases, which get patterns as they are written. */
export const CMDLETS = new Set(
  "get-childitem gci get-content gc get-location gl get-item gi select-string sls select-object select measure-object measure sort-object where-object where format-table ft format-list fl out-string out-null test-path resolve-path get-date get-command gcm write-output write get-filehash compare-object group-object group get-unique get-member gm format-wide fw convertto-json convertfrom-json split-path join-path get-random start-sleep write-host set-location sl".split(
    " ",
  ),
);

/** Those of them that take patterns for files. The others compare patterns with something else. */
const TAKES_PATHS =
  /^(?:get-childitem|gci|dir|ls|get-content|gc|cat|type|get-item|gi|select-string|sls|test-path|resolve-path|get-filehash|compare-object)$/;
/** Those that show what is in the files. For the others, only existence and names count. */
export const SHOWS_CONTENT = /^(?:get-content|gc|select-string|sls|get-filehash|compare-object)$/;
const PARAMETERS = new Set(
  "path literalpath filter include exclude recurse depth force name file directory hidden readonly system attributes tail totalcount first last head raw encoding readcount wait delimiter pattern simplematch casesensitive quiet list allmatches notmatch context property expandproperty unique skip descending line word character sum average maximum minimum autosize wrap inputobject erroraction pathtype isvalid algorithm format childpath index s r parent leaf leafbase extension qualifier noqualifier resolve isabsolute relative compress ashashtable seconds milliseconds minimum nonewline foregroundcolor backgroundcolor object separator noelement membertype static passthru eq ne gt ge lt le like notlike match contains notcontains in notin ceq cne clike cmatch includeequal excludedifferent referenceobject differenceobject syncwindow culture uformat date year month day asutc width groupby view top bottom ea".split(
    " ",
  ),
);

/** Returns why words that the program would not understand as on other systems ask in PowerShell or cmd. */
export function windowsFault(name: string, words: readonly Word[], shell: string): Reason | undefined {
  const native = /^(?:git|npm|pnpm|yarn|node|rg|grep)$/.test(name.replace(/\.(?:exe|cmd)$/, ""));
  for (const [i, { text, glob }] of words.entries()) {
    // These match a quoted pattern with files, too, and read a backtick as an escape.
    const isOther = TAKES_OTHER.test(words[i - 1]?.text ?? "");
    if (shell === "powershell" && READS.test(name) && !isOther && glob === undefined && /[*?[`]/.test(text))
      return reasonOf("powershell-word");
    if (/^(?:\\\\|\/\/)/.test(text)) return reasonOf("on-another-machine", text);
    if (/^-[A-Za-z]+:/.test(text)) return reasonOf("powershell-parameter");
    if (foldedParts(text).some((part) => isDeviceName(part) && part !== "nul"))
      return reasonOf("windows-device", text);
    if (!native && !PRINTS.test(name) && namesNoFile(text, TAKES_PATHS.test(name)))
      return reasonOf("not-a-file", text);
    const switches =
      shell === "cmd" &&
      (/^(?:dir|tree|ver|where|findstr)$/.test(name) || (isChange(name) && /^\/d$/i.test(text)));
    if (shell === "cmd" && text.startsWith("/") && !switches) return reasonOf("option", text);
    if (CMDLETS.has(name) && /^-[A-Za-z]/.test(text) && !PARAMETERS.has(text.slice(1).toLowerCase()))
      return reasonOf("option", text);
  }
  return undefined;
}

/** Cmdlets that read files, by their names in PowerShell, and parameters of theirs whose value is no file. */
const READS = /^(?:get-content|gc|cat|type|get-filehash|compare-object|select-string|sls)$/;
const TAKES_OTHER = /^-(?:pattern|filter|include|exclude|encoding|delimiter|property)$/i;

/** Cmdlets that only print their words. */
const PRINTS = /^(?:echo|write|write-output|write-host)$/;

/** A drive without a slash, another provider's drive, or an alternate data stream after a second colon. */
function namesNoFile(text: string, isPath: boolean): boolean {
  if (/^[A-Za-z]:(?![\\/])|^[A-Za-z][A-Za-z0-9]+:/.test(text) || text.includes("::")) return true;
  return isPath && !/\s/.test(text) && /^[^:]{2,}:|.:.*:/.test(text);
}

function isChange(name: string): boolean {
  return name === "cd" || name === "chdir";
}
