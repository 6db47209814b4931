const ADDRESS = /\d+(?:~\d+)?|\$|\/((?:[^/\\\n]|\\[^\n])*)\/I?/y;
const COMMAND = /[pdqDGHghlNnPxz=]/y;

/**
 * Returns true if every bracket expression of a sed script, such as `[a-z]`, is closed within the text. Implementations
 * differ on whether a delimiter inside brackets ends the regular expression.
 */
function closesBrackets(text: string): boolean {
  return !text
    .replace(/\\[\s\S]/g, "")
    .replace(/\[\^?\]?(?:\[[:.=][^\]]*[:.=]\]|[^\][])*\]/g, "")
    .includes("[");
}

/** Cursor over the text of a sed script. Each pattern passed to `take` is matched where the previous match ended. */
class ScriptReader {
  at = 0;
  readonly #script: string;

  constructor(script: string) {
    this.#script = script;
  }

  take(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#script);
    if (found === null || !found.slice(1).every((part) => closesBrackets(part ?? ""))) return false;
    this.at += found[0].length;
    return true;
  }

  /** Reads `s/…/…/flags` or `y/…/…/` with any unambiguous delimiter. */
  takeSubstitution(): boolean {
    const command = this.#script.charAt(this.at);
    const mark = this.#script.charAt(this.at + 1);
    if ((command !== "s" && command !== "y") || !/[/|,:#@!%_]/.test(mark)) return false;
    const part = `((?:[^\\\\\\n\\${mark}]|\\\\[^\\n])*)\\${mark}`;
    // The flag `e` of sed's `s` command would run the result. The flag `w` would write the result to a file.
    const flags = command === "s" ? "[gpiI0-9]*" : "";
    return this.take(new RegExp(`${command}\\${mark}${part}${part}${flags}`, "y"));
  }

  get isAtEnd(): boolean {
    return this.at >= this.#script.length;
  }
}

/**
 * Returns true if a sed script only selects, deletes, prints and substitutes. sed(1): `e` runs a command, `w` and `W`
 * write files, and so do the flags of `s` with these names.
 */
export function isHarmlessSedScript(script: string): boolean {
  const reader = new ScriptReader(script);
  while (!reader.isAtEnd) {
    if (reader.take(/[ ;]+/y)) continue;
    if (reader.take(ADDRESS) && reader.take(/,\+?/y) && !reader.take(/\d+/y) && !reader.take(ADDRESS)) return false;
    reader.take(/ *!?/y);
    if (!reader.takeSubstitution() && !reader.take(COMMAND)) return false;
    if (!reader.isAtEnd && !reader.take(/ *;/y)) return false;
  }
  return true;
}
