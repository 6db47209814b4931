import { type Secret, secret } from "@switchyard/secrets";
import { type EnvironmentRecord, findKey } from "../agent/model-choice.ts";
import { keyInFile } from "./credentials-file.ts";

/** Variable with a key for whatever provider. */
export const ANY_KEY_VARIABLE = "SWITCHYARD_API_KEY";

/** Where a key is looked for. */
export interface KeySources {
  /** A key that was handed in; it wins. */
  readonly given?: string | Secret | undefined;
  /** Name of the model's provider; empty where none is configured. */
  readonly provider: string;
  /** Variables. */
  readonly env: EnvironmentRecord;
  /** File of credentials. */
  readonly file?: string | undefined;
}

/**
 * The API key of a run: the one that was handed in, else the variable of the provider (`OPENAI_API_KEY`, or by its
 * name), else `SWITCHYARD_API_KEY`, else the file of credentials. Nothing where there is none. Rejects with
 * `credentials.*`. custom-engine: API key.
 */
export async function findApiKey({ given, provider, env, file }: KeySources): Promise<Secret | undefined> {
  if (given !== undefined && given !== "") return typeof given === "string" ? secret(given) : given;
  const variable = provider === "" ? undefined : (findKey(env, provider)?.value ?? trimmed(env[variableOf(provider)]));
  const found =
    variable ?? trimmed(env[ANY_KEY_VARIABLE]) ?? (file === undefined ? undefined : await keyInFile(file, provider));
  return found === undefined ? undefined : secret(found);
}

/** `ACME_AI_API_KEY` for `acme-ai`. */
export function variableOf(provider: string): string {
  return `${provider.replace(/[^A-Za-z0-9]+/gu, "_").toUpperCase()}_API_KEY`;
}

function trimmed(value: string | undefined): string | undefined {
  const text = value?.trim() ?? "";
  return text === "" ? undefined : text;
}
