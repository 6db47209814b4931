import { EngineError, messageOf } from "@switchyard/contracts";
import { CONTRACT_NAMES, type ContractName, type ContractSubjects } from "@switchyard/testkit";
import type { CommandContext } from "../context/command-context.ts";
import { findModule } from "./find-module.ts";

/** The factories that a module exports. */
export interface LoadedContracts {
  /** Them by contract. */
  readonly subjects: ContractSubjects;
  /** Their names. */
  readonly names: readonly ContractName[];
}

/**
 * Loads a module, which runs its code, and takes its export `contracts`. Rejects with `verify.not_found`,
 * `verify.load_failed` or `verify.no_contracts`.
 */
export async function loadContracts(context: CommandContext, target: string): Promise<LoadedContracts> {
  const path = await findModule(target, context.workingDirectory);
  const exported = exportedContracts(await load(context, target, path));
  const refuse = (problem: string): EngineError =>
    new EngineError("verify.no_contracts", { target, problem, known: CONTRACT_NAMES });
  if (exported === undefined) throw refuse("it exports no `contracts`");
  const unknown = Object.keys(exported).filter((name) => !isContractName(name));
  if (unknown.length > 0) throw refuse(`it has a factory for ${unknown.join(", ")}, which is not a contract`);
  const names = CONTRACT_NAMES.filter((name) => Reflect.get(exported, name) !== undefined);
  const broken = names.find((name) => typeof Reflect.get(exported, name) !== "function");
  if (broken !== undefined) throw refuse(`its ${broken} is not a factory`);
  if (names.length === 0) throw refuse("its `contracts` object is empty");
  return { subjects: exported, names };
}

/** Whether a text is the name of a contract. */
export function isContractName(name: string): name is ContractName {
  return CONTRACT_NAMES.some((known) => known === name);
}

async function load({ importModule }: CommandContext, target: string, path: string): Promise<unknown> {
  try {
    return await importModule(path);
  } catch (error) {
    throw new EngineError("verify.load_failed", { target, problem: messageOf(error) }, { cause: error });
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** The export of a module, also of one that is no ECMAScript module. */
function exportedContracts(module: unknown): object | undefined {
  if (!isObject(module)) return undefined;
  const named: unknown = Reflect.get(module, "contracts");
  if (isObject(named)) return named;
  const whole: unknown = Reflect.get(module, "default");
  const inner: unknown = isObject(whole) ? Reflect.get(whole, "contracts") : undefined;
  return isObject(inner) ? inner : undefined;
}
