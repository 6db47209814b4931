import type { Board, ExecutionEnvironment, Host, Run, SessionInput } from "@switchyard/contracts";
import type { ModelAccess } from "@switchyard/engine";
import type { Secret } from "@switchyard/secrets";
import type { CustomEngineConfig } from "../config/custom-engine-config.ts";
import type { Transport } from "../transport/transport.ts";
import type { CustomEngineOptions } from "./custom-engine-options.ts";

/** State shared by the calls of a run. */
export interface Job {
  readonly config: CustomEngineConfig;
  readonly options: CustomEngineOptions;
  readonly transport: Transport;
  readonly run: Run;
  readonly host: Host;
  readonly board: Board;
  readonly input: SessionInput;
  readonly environment: ExecutionEnvironment;
  /** API key, wrapped in a `Secret` until a call needs the value; `undefined` if there is none. */
  readonly apiKey: Secret | undefined;
  /** Access to models. `undefined` if the configuration does not refer to it. */
  readonly modelAccess: ModelAccess | undefined;
  readonly startedMs: number;
}
