// Exports for users: recording, replaying and comparing model calls. Nothing here loads a provider's package.

export type { Cassette, CassetteHeader, RecordedCall, RecordedError, RecordedRequest } from "./cassette.ts";
export { CASSETTE_FORMAT, CASSETTE_VERSION, toRecordedRequest } from "./cassette.ts";
export type { CompareRequestOptions } from "./compare-request.ts";
export { compareRequest } from "./compare-request.ts";
export type { NormaliserOptions } from "./create-normaliser.ts";
export { createNormaliser, createRestorer } from "./create-normaliser.ts";
export type { ReplayClient, ReplayOptions } from "./create-replay-client.ts";
export { createReplayClient, withReplay } from "./create-replay-client.ts";
export { type ComparedReplay, findMismatch } from "./find-mismatch.ts";
export type { Difference, DifferenceOptions } from "./first-difference.ts";
export { firstDifference } from "./first-difference.ts";
export type { ParseCassetteOptions } from "./parse-cassette.ts";
export { parseCassette } from "./parse-cassette.ts";
export type { CallSerializer } from "./serialize-cassette.ts";
export { createCallSerializer, serializeCassette, serializeHeader } from "./serialize-cassette.ts";
export type { RecordedModel, RecordedModelOptions } from "./server/start-recorded-model.ts";
export { startRecordedModel } from "./server/start-recorded-model.ts";
export type { RecorderOptions } from "./with-recorder.ts";
export { withRecorder } from "./with-recorder.ts";
