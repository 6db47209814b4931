// Exports for users of the library: functions that create an engine from a configuration.

export type {
  CustomEngineConfig,
  HttpConfig,
  LoadedEngineConfig,
  LocalConfig,
  ModelConfig,
  RequestFiles,
} from "./config/custom-engine-config.ts";
export { engineConfigJsonSchema } from "./config/engine-config-json-schema.ts";
export type { EngineSettings } from "./config/engine-settings-of.ts";
export { engineSettingsOf } from "./config/engine-settings-of.ts";
export {
  EVALUATION_AGENTS,
  type EvaluationAgent,
  type EvaluationAgentConfiguration,
  type EvaluationAgentSettings,
} from "./config/evaluation-agents.ts";
export type { LoadEngineOptions } from "./config/load-engine-config.ts";
export { loadEngineConfig } from "./config/load-engine-config.ts";
export { refersToApiKey } from "./config/refers-to-api-key.ts";
export type { CustomEngine } from "./engine/custom-engine.ts";
export { createCustomEngine } from "./engine/custom-engine.ts";
export type { CustomEngineOptions } from "./engine/custom-engine-options.ts";
export { refersToModelAccess } from "./engine/model-access.ts";
export { checkArtifacts } from "./result/check-artifacts.ts";
export type { BodyTemplate } from "./template/render-body.ts";
export type { EnvironmentRecord } from "./template/resolve-template.ts";
export type { LiteralToken, ReferenceToken, Template, TemplateToken } from "./template/template.ts";
export type { HttpTimeouts, HttpTransportOptions, OpenDispatcher } from "./transport/http/http-transport.ts";
