import { EngineError } from "@switchyard/contracts";
import type { OpenModelAccess } from "@switchyard/engine";
import type { GatewayRun, ModelCallRecording, ModelGatewayEvent, ModelGatewayOptions } from "@switchyard/gateway";
import type { ComparedReplay } from "@switchyard/llm/cassette";
import { connectRun } from "../model-access/connect-run.ts";
import { VENDOR_APIS } from "../model-access/vendor-apis.ts";
import { createReplayNormaliser } from "./replay-normaliser.ts";

/** Access to models that responds with recorded responses, and compares each request with the recorded one. */
export interface ReplayModelAccess extends ComparedReplay {
  /** Connects a run to the recording. Sends nothing to model providers, and needs no API key. */
  readonly open: OpenModelAccess;
}

/** Values in a recording that differ in a replay even if the engine is unchanged. */
export interface RecordedRun {
  /** Id of the recorded run. */
  readonly runId: string;
  /** Paths of the workspace of the recorded run. */
  readonly workspaces: readonly string[];
}

/**
 * Returns providers with the wire formats of the recording. A replay uses their list prices. A gateway decides by the
 * offered formats which format a request for a list of models has, so the replay must not offer more.
 */
function upstreamsOf({ calls }: ModelCallRecording): ModelGatewayOptions["upstreams"] {
  const recorded = new Set(calls.map(({ api }) => api));
  const entries = Object.entries(VENDOR_APIS).map(
    ([name, apis]) => [name, { apis: apis.filter((api) => recorded.has(api)) }] as const,
  );
  return Object.fromEntries(entries.filter(([, { apis }]) => apis.length > 0));
}

/** Creates access to models for the replay of a recorded run. */
export function createReplayModelAccess(recording: ModelCallRecording, recorded: RecordedRun): ReplayModelAccess {
  const runs: GatewayRun[] = [];
  let refusal: EngineError | undefined;

  /** Notes a request in a wire format that the recording does not contain. */
  function noteRefusal(event: ModelGatewayEvent): void {
    if (event.type !== "model_request_refused" || event.error !== "gateway.no_upstream") return;
    const { request: index, problem } = event;
    refusal ??= new EngineError("cassette.mismatch", { index, path: "api", problem });
  }
  return {
    async open({ run, host, environment, route }) {
      if (route?.directReason !== undefined) return undefined;
      const { createModelGateway } = await import("@switchyard/gateway");
      const gateway = createModelGateway({ upstreams: upstreamsOf(recording) });
      const workspaces = [...recorded.workspaces, ...(environment === undefined ? [] : [environment.workingDirectory])];
      const normalise = createReplayNormaliser(workspaces, [recorded.runId, run.id]);
      const lease = { gateway, release: () => gateway.close() };
      try {
        const connected = await connectRun(
          lease,
          { run, host, environment },
          { replay: { recording, normalise }, onEvent: noteRefusal },
        );
        runs.push(connected.gatewayRun);
        return connected.access;
      } catch (error) {
        await lease.release();
        throw error;
      }
    },
    assertFinished() {
      if (refusal !== undefined) throw refusal;
      const [first] = runs;
      const { length: calls } = recording.calls;
      if (first === undefined) throw new EngineError("cassette.unused", { unused: calls, calls });
      for (const run of runs) run.assertReplayed();
    },
  };
}
