import { EngineError } from "@switchyard/contracts";
import { readPrivateFile } from "./read-private-file.ts";
import { parseTokens, type TokenSet } from "./token-set.ts";

/**
 * Reads a token file. Rejects with `credentials.exposed` if users other than the owner can read it, and with
 * `server.invalid_tokens`.
 */
export async function readTokens(path: string): Promise<TokenSet> {
  const text = await readPrivateFile(
    path,
    (problem, cause) => new EngineError("server.invalid_tokens", { path, problem }, { cause }),
  );
  return parseTokens(text, path);
}
