import type { ContractCase } from "../contract/contract-case.ts";
import { defineContract } from "../contract/define-contract.ts";
import { deliveryCases } from "./delivery-cases.ts";
import { lifetimeCases } from "./lifetime-cases.ts";
import { openStreamRouterSubject, type StreamRouterFactory } from "./stream-router-subject.ts";

/**
 * Conformance cases for stream routers: each sink (receiver) receives all envelopes, is not affected by other sinks,
 * and is notified of the end. See engine: StreamRouter.
 */
export const streamRouterContract: readonly ContractCase<StreamRouterFactory>[] = defineContract(
  openStreamRouterSubject,
  [...deliveryCases, ...lifetimeCases],
);
