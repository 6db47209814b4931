import { EngineError } from "@switchyard/contracts";
import type { ContractName, ContractSubjects } from "./contract-subjects.ts";
import { CONTRACT_NAMES } from "./verify-contracts.ts";

/** Factories for conformance contracts that a module exports. */
export interface ExportedContracts {
  /** Factories, by name of the contract. */
  readonly subjects: ContractSubjects;
  /** Names of the contracts for which the module exports a factory. */
  readonly names: readonly ContractName[];
}

/**
 * Returns the export `contracts` of a module, which may be a CommonJS module. `target` names the module in errors.
 * Throws `verify.no_contracts`.
 */
export function exportedContracts(module: unknown, target: string): ExportedContracts {
  const exported = contractsIn(module);
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

/** True if a text is the name of a contract. */
export function isContractName(name: string): name is ContractName {
  return CONTRACT_NAMES.some((known) => known === name);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function contractsIn(module: unknown): object | undefined {
  if (!isObject(module)) return undefined;
  const named: unknown = Reflect.get(module, "contracts");
  if (isObject(named)) return named;
  const defaultExport: unknown = Reflect.get(module, "default");
  const inner: unknown = isObject(defaultExport) ? Reflect.get(defaultExport, "contracts") : undefined;
  return isObject(inner) ? inner : undefined;
}
