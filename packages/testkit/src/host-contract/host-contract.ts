import type { ContractCase } from "../contract/contract-case.ts";
import { defineContract } from "../contract/define-contract.ts";
import { type HostFactory, openHostSubject } from "./host-subject.ts";
import { plainCases } from "./plain-cases.ts";
import { promiseCases } from "./promise-cases.ts";

/**
 * Conformance cases for hosts (programs that start runs): the five required interfaces, and optional guarantees of a
 * host. See engine: Host.
 */
export const hostContract: readonly ContractCase<HostFactory>[] = defineContract(openHostSubject, [
  ...plainCases,
  ...promiseCases,
]);
