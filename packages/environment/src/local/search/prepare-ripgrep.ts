import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { renderRulesAbove } from "../../search/render-rules-above.ts";
import type { ScopeRules } from "./ripgrep-arguments.ts";
import type { SearchScope } from "./search-scope.ts";

/** ripgrep, prepared for searching one folder. Contract: the owner disposes of the object after the search. */
export interface PreparedRipgrep extends AsyncDisposable {
  /** Path of ripgrep. */
  readonly program: string;
  readonly rules: ScopeRules;
}

/**
 * Passes the ignore rules of a folder's parent folders to ripgrep in a temporary file. Resolves with `undefined` if
 * ripgrep is not installed or the file cannot be created; the search then runs in this process.
 */
export async function prepareRipgrep(
  program: string | undefined,
  { layers, relative, skipsPackages }: SearchScope,
): Promise<PreparedRipgrep | undefined> {
  if (program === undefined) return undefined;
  const rules = renderRulesAbove(layers, relative);
  if (rules === "") {
    return { program, rules: { rulesFile: undefined, skipsPackages }, [Symbol.asyncDispose]: async () => {} };
  }
  const folder = await mkdtemp(join(tmpdir(), "switchyard-rules-")).catch(() => undefined);
  if (folder === undefined) return undefined;
  const rulesFile = join(folder, "rules");
  const dispose = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    await writeFile(rulesFile, rules);
    return { program, rules: { rulesFile, skipsPackages }, [Symbol.asyncDispose]: dispose };
  } catch {
    await dispose();
    return undefined;
  }
}
