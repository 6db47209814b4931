import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { EngineError, messageOf, toEngineError } from "@switchyard/contracts";
import { type OidcVerifier, openOidc, parseOidcOptions } from "@switchyard/server";
import { printError } from "@switchyard/terminal";
import { parse } from "yaml";
import type { CommandContext } from "../context/command-context.ts";

/**
 * Opens the OpenID Connect provider that a YAML or JSON file describes. Failures to read the provider's keys are
 * logged. Rejects with `server.invalid_oidc`.
 */
export async function openOidcFile(context: CommandContext, file: string): Promise<OidcVerifier> {
  const path = resolve(context.workingDirectory, file);
  const onError = (error: unknown): void => printError(context.stderr, toEngineError(error));
  return openOidc(parseOidcOptions(await readDocument(path), path), { onError, now: context.now });
}

async function readDocument(path: string): Promise<unknown> {
  try {
    const document: unknown = parse(await readFile(path, "utf8"));
    return document;
  } catch (cause) {
    throw new EngineError("server.invalid_oidc", { path, problem: messageOf(cause) }, { cause });
  }
}
