// Exports for users: open an engine by its name.
export { assertTrusted, engineNames, openAdapterCatalog, untrustedPackage } from "./adapter/adapter-catalog.ts";
export { ADAPTER_KINDS } from "./adapter/adapters.ts";
export { type CheckDocumentOptions, checkDocument, type DocumentFindings } from "./document/check-document.ts";
export { credentialsFile } from "./engine/credentials-file.ts";
export { type EngineFile, readEngineFile, readEngineName } from "./engine/engine-file.ts";
export type { EngineHost } from "./engine/engine-host.ts";
export type { EngineOptions, EngineRequest } from "./engine/engine-request.ts";
export { acceptsSteering, openEngine } from "./engine/open-engine.ts";
export type { DirectCause, OpenedEngine } from "./engine/opened-engine.ts";
export { unknownEngine } from "./engine/unknown-engine.ts";
export { webSearchOf, webSearchProblem } from "./engine/web-search.ts";
export { type AnnouncedRun, announceRun, describeNetwork } from "./header/run-header.ts";
export { type ListModelsOptions, listModels, type ModelList, type ModelListHost } from "./models/list-models.ts";
export { type ExaminedEngine, type ExamineEngineOptions, examineEngine } from "./readiness/examine-engine.ts";
export { type ExamineEnginesOptions, examineEngines } from "./readiness/examine-engines.ts";
export { openReplayEngine, type ReplayEngine, type ReplayEngineOptions } from "./replay/open-replay-engine.ts";
