// Fakes that implement the interfaces of `@switchyard/contracts`.

export { plainBoard } from "./board/plain-board.ts";
export type { ManualClock } from "./clock/manual-clock.ts";
export { manualClock } from "./clock/manual-clock.ts";
export { plainDependencies } from "./dependencies/plain-dependencies.ts";
export type { Effect, EffectLedger, EffectLedgerOptions } from "./effect/effect-ledger.ts";
export { openEffectLedger } from "./effect/effect-ledger.ts";
export { inertEnvironment } from "./environment/inert-environment.ts";
export type { RecordingHost, RecordingHostOptions } from "./host/recording-host.ts";
export { recordingHost } from "./host/recording-host.ts";
export type {
  FaultKind,
  FaultPlan,
  FaultPosition,
  HostileFault,
  Oddity,
  PlannedResponse,
  RetryAfter,
  SurvivalPolicy,
} from "./hostile-model/hostile-fault.ts";
export type { ModelApi } from "./hostile-model/model-api.ts";
export type { HostileModelLedger, HostileModelRequest } from "./hostile-model/model-request-log.ts";
export type { HostileModelServer, HostileModelServerOptions } from "./hostile-model/open-hostile-model-server.ts";
export { openHostileModelServer } from "./hostile-model/open-hostile-model-server.ts";
export type { FaultPlanOptions } from "./hostile-model/plan-faults.ts";
export { planFaults } from "./hostile-model/plan-faults.ts";
export { modelRequestProblems } from "./hostile-model/request-problems.ts";
export type { FramePart, TokenCount } from "./hostile-model/response-content.ts";
export type { AnswerStep, FailureStep, ScriptedToolCall, ScriptStep } from "./model/script-step.ts";
export { answer, failure, reasoning, text, toolCall, toolCalls } from "./model/script-step.ts";
export type { ScriptedClient, ScriptedClientOptions } from "./model/scripted-client.ts";
export { scriptedClient } from "./model/scripted-client.ts";
export type { WireFormat } from "./model/wire-response.ts";
export { wireResponse } from "./model/wire-response.ts";

// Conformance kits for implementers of the interfaces of `@switchyard/contracts`.

export { adapterContract } from "./adapter-contract/adapter-contract.ts";
export type {
  AdapterFactory,
  AdapterSetting,
  AdapterSubject,
  AgentAbility,
} from "./adapter-contract/adapter-subject.ts";
export type { AgentStep, AgentTurn, ReceivedTurn } from "./adapter-contract/agent-script.ts";
export { boardContract } from "./board-contract/board-contract.ts";
export type { BoardFactory } from "./board-contract/board-subject.ts";
export { busContract } from "./bus-contract/bus-contract.ts";
export type {
  BusFactory,
  ContractBus,
  ContractBusObserver,
  ContractSubscription,
  ContractSubscriptionOptions,
} from "./bus-contract/contract-bus.ts";
export { checkpointStoreContract } from "./checkpoint-store-contract/checkpoint-store-contract.ts";
export type {
  CheckpointStoreFactory,
  CheckpointStoreSubject,
} from "./checkpoint-store-contract/checkpoint-store-subject.ts";
export type { CaseOptions, ContractCase, Eventually } from "./contract/contract-case.ts";
export type { ContractName, ContractSubjects } from "./contract/contract-subjects.ts";
export { defineContracts } from "./contract/contract-subjects.ts";
export { expectInapplicable } from "./contract/expect-inapplicable.ts";
export type { ExportedContracts } from "./contract/exported-contracts.ts";
export { exportedContracts, isContractName } from "./contract/exported-contracts.ts";
export type { ContractResult, RunContractOptions } from "./contract/run-contract.ts";
export { runContract } from "./contract/run-contract.ts";
export type { ContractReport, VerifyContractsOptions } from "./contract/verify-contracts.ts";
export { CONTRACT_NAMES, verifyContracts } from "./contract/verify-contracts.ts";
export { documentStoreContract } from "./document-store-contract/document-store-contract.ts";
export type { DocumentStoreFactory, DocumentStoreSubject } from "./document-store-contract/document-store-subject.ts";
export { engineContract } from "./engine-contract/engine-contract.ts";
export type { EngineFactory, EngineSituation, EngineSubject } from "./engine-contract/engine-subject.ts";
export { environmentContract } from "./environment-contract/environment-contract.ts";
export type {
  EnvironmentAbility,
  EnvironmentFactory,
  EnvironmentSetting,
  EnvironmentSubject,
} from "./environment-contract/environment-subject.ts";
export { hostContract } from "./host-contract/host-contract.ts";
export type { HostFactory, HostSubject } from "./host-contract/host-subject.ts";
export { resumerContract } from "./resumer-contract/resumer-contract.ts";
export type { ContractResumer, ResumerFactory, ResumerSubject } from "./resumer-contract/resumer-subject.ts";
export { runStoreContract } from "./run-store-contract/run-store-contract.ts";
export type { RunStoreFactory, RunStoreSubject } from "./run-store-contract/run-store-subject.ts";
export { runtimeContract } from "./runtime-contract/runtime-contract.ts";
export type {
  ProviderBehaviour,
  ReceivedTask,
  RuntimeFactory,
  RuntimeSetting,
  RuntimeSubject,
} from "./runtime-contract/runtime-subject.ts";
export { streamRouterContract } from "./stream-router-contract/stream-router-contract.ts";
export type {
  ContractDelta,
  ContractRouter,
  ContractRouterOptions,
  ContractSink,
  RouterOnBus,
  StreamRouterFactory,
} from "./stream-router-contract/stream-router-subject.ts";
export type {
  AnswerManner,
  CallBehaviour,
  CommandBehaviour,
  EngineBehaviour,
  ReceivedCall,
  ReceivedCommand,
  ReceivedRequest,
  ServiceBehaviour,
} from "./transport-contract/engine-behaviour.ts";
export { answerBytes, behaviourOfCall } from "./transport-contract/engine-behaviour.ts";
export {
  httpTransportContract,
  localTransportContract,
  transportContract,
} from "./transport-contract/transport-contract.ts";
export type { TransportFactory, TransportSetting, TransportSubject } from "./transport-contract/transport-subject.ts";
