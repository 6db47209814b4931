import { type Secret, secret } from "@switchyard/secrets";
import { type EnvironmentRecord, findKey } from "../agent/model-choice.ts";
import { keyInFile } from "./credentials-file.ts";

/** Environment variable with a key for any provider. */
export const ANY_KEY_VARIABLE = "SWITCHYARD_API_KEY";

/** Sources of an API key. */
export interface KeySources {
  /** Key given by the caller, which takes precedence. */
  readonly given?: string | Secret | undefined;
  /** Name of the model's provider. Empty if none is configured. */
  readonly provider: string;
  /** Environment variables. */
  readonly env: EnvironmentRecord;
  /** Credentials file. */
  readonly file?: string | undefined;
}

/**
 * Returns the API key of a run: the given key, else the provider's variable (such as `OPENAI_API_KEY`), else
 * `SWITCHYARD_API_KEY`, else the key in the credentials file. `undefined` if no key is found. Rejects with
 * `credentials.*`. See custom-engine: API key.
 */
export async function findApiKey({ given, provider, env, file }: KeySources): Promise<Secret | undefined> {
  if (given !== undefined && given !== "") return typeof given === "string" ? secret(given) : given;
  const variable = provider === "" ? undefined : (findKey(env, provider)?.value ?? trimmed(env[variableOf(provider)]));
  const found =
    variable ?? trimmed(env[ANY_KEY_VARIABLE]) ?? (file === undefined ? undefined : await keyInFile(file, provider));
  return found === undefined ? undefined : secret(found);
}

/** Returns the variable of a provider: `ACME_AI_API_KEY` for `acme-ai`. */
export function variableOf(provider: string): string {
  return `${provider.replace(/[^A-Za-z0-9]+/gu, "_").toUpperCase()}_API_KEY`;
}

function trimmed(value: string | undefined): string | undefined {
  const text = value?.trim() ?? "";
  return text === "" ? undefined : text;
}
