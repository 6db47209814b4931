import { EngineError, messageOf } from "@switchyard/contracts";
import { findModule } from "@switchyard/extensions";
import { neutraliseControls, renderContractResult, renderContractSummary, toPlainJson } from "@switchyard/terminal";
import type { ContractName, ContractReport, ContractResult } from "@switchyard/testkit";
import { CONTRACT_NAMES, exportedContracts, isContractName, verifyContracts } from "@switchyard/testkit";
import type { CommandContext } from "../context/command-context.ts";
import { printStacks } from "../errors/print-stacks.ts";
import { usageError } from "../program/usage-error.ts";
import type { VerifyOptions } from "./verify-options.ts";

/**
 * Runs conformance test cases against a module and prints which cases pass. Tests every contract for which the module
 * exports a factory. Resolves with exit code 0 if no case failed, otherwise 1. Rejects with `usage.invalid`,
 * `verify.not_found`, `verify.load_failed` or `verify.no_contracts`.
 */
export async function verifyModule(
  context: CommandContext,
  options: VerifyOptions & { target: string },
): Promise<number> {
  const asked = contractNames(options.kit);
  const { subjects, names } = exportedContracts(await loadModule(context, options.target), options.target);
  const missing = asked.filter((name) => !names.includes(name));
  if (missing.length > 0) {
    throw usageError(
      `${options.target} has no factory for ${missing.join(", ")}; it has ${names.join(", ")}.`,
      "verify",
    );
  }
  const reports: ContractReport[] = [];
  for (const name of asked.length === 0 ? names : CONTRACT_NAMES.filter((known) => asked.includes(known))) {
    if (options.json !== true) context.stdout.write(`${name}\n`);
    const onResult = (result: ContractResult): void => {
      if (options.json !== true) context.stdout.write(renderContractResult(result, context.stdout));
    };
    const timeoutMs = options.timeout === undefined ? undefined : options.timeout * 1_000;
    reports.push(...(await verifyContracts(subjects, { names: [name], timeoutMs, onResult })));
  }
  const failed = reports.flatMap(({ results }) => results).filter(({ status }) => status === "failed");
  if (options.json === true) context.stdout.write(`${toPlainJson(findingsOf(options.target, reports))}\n`);
  else context.stdout.write(`\n${neutraliseControls(renderContractSummary(reports))}`);
  for (const { error } of failed) await printStacks(context, error);
  return failed.length === 0 ? 0 : 1;
}

async function loadModule({ workingDirectory, importModule }: CommandContext, target: string): Promise<unknown> {
  const path = await findModule(target, workingDirectory);
  try {
    return await importModule(path);
  } catch (error) {
    throw new EngineError("verify.load_failed", { target, problem: messageOf(error) }, { cause: error });
  }
}

function contractNames(words: readonly string[] = []): ContractName[] {
  const unknown = words.find((word) => !isContractName(word));
  if (unknown !== undefined) {
    throw usageError(`Unknown contract ${unknown}. Contracts: ${CONTRACT_NAMES.join(", ")}.`, "verify");
  }
  return words.filter(isContractName);
}

/** Returns the document that `switchyard verify --json` prints. */
function findingsOf(target: string, reports: readonly ContractReport[]): object {
  const results = reports.flatMap((report) => report.results);
  const count = (wanted: ContractResult["status"]): number => results.filter(({ status }) => status === wanted).length;
  const contracts = reports.map((report) => ({
    name: report.name,
    results: report.results.map(({ error: _, durationMs, ...result }) => {
      return { ...result, duration_ms: Math.round(durationMs) };
    }),
  }));
  return { target, passed: count("passed"), failed: count("failed"), skipped: count("skipped"), contracts };
}
