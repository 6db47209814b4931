import { EngineError } from "@switchyard/contracts";
import { type Secret, secret } from "@switchyard/secrets";
import { readPrivateFile } from "../guard/read-private-file.ts";

const MIN_CHARACTERS = 16;

/**
 * Reads the webhook signing secret: the text of a file, without the line break at its end. Rejects with
 * `credentials.exposed` if users other than the owner can read the file, and with `config.invalid`.
 */
export async function readWebhookSecret(path: string): Promise<Secret> {
  const fail = (problem: string, cause?: unknown): EngineError =>
    new EngineError("config.invalid", { field: "the secret of webhooks", problem: `${path}: ${problem}` }, { cause });
  const text = (await readPrivateFile(path, fail)).trim();
  if (text.length < MIN_CHARACTERS) throw fail(`it is shorter than ${MIN_CHARACTERS} characters`);
  return secret(text);
}
