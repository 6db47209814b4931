import type { ContractCase } from "../contract/contract-case.ts";
import { defineContract } from "../contract/define-contract.ts";
import { deliveryCases } from "./delivery-cases.ts";
import { lifetimeCases } from "./lifetime-cases.ts";
import { openStreamRouterSubject, type StreamRouterFactory } from "./stream-router-subject.ts";

/** What a stream router must keep: each sink gets everything, harms nobody, and hears the end. engine: StreamRouter. */
export const streamRouterContract: readonly ContractCase<StreamRouterFactory>[] = defineContract(
  openStreamRouterSubject,
  [...deliveryCases, ...lifetimeCases],
);
