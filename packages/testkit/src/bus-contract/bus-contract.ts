import type { ContractCase } from "../contract/contract-case.ts";
import { defineContract } from "../contract/define-contract.ts";
import { closingCases } from "./closing-cases.ts";
import { type BusFactory, openBusSubject } from "./contract-bus.ts";
import { deliveryCases } from "./delivery-cases.ts";
import { pressureCases } from "./pressure-cases.ts";

/** Conformance cases for event buses: patterns, order, backpressure modes, closing. See engine: event.Bus. */
export const busContract: readonly ContractCase<BusFactory>[] = defineContract(openBusSubject, [
  ...deliveryCases,
  ...pressureCases,
  ...closingCases,
]);
