// Exports for users: the model gateway, its runs, events and recordings.

export type { ModelAction } from "./model/api/model-action.ts";
export { createModelGateway } from "./model/create-model-gateway.ts";
export type {
  ModelCallEnded,
  ModelCallReference,
  ModelCallRetried,
  ModelFallbackUsed,
  ModelGatewayEvent,
  ModelRequestRefused,
} from "./model/gateway-event.ts";
export type { ModelGatewayLimits } from "./model/gateway-limits.ts";
export type {
  GatewayRun,
  GatewayRunOptions,
  GatewayUsage,
  ModelBudget,
  ModelGateway,
  ModelGatewayOptions,
  ModelUpstream,
  RecordOptions,
} from "./model/gateway-options.ts";
export type { ModelCallRecording, RecordedModelCall } from "./model/recording/model-call-recording.ts";
export { parseModelCalls } from "./model/recording/model-call-recording.ts";
export type { ReplayOptions } from "./model/recording/replay.ts";
