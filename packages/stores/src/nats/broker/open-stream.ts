import type { StreamConfig } from "@nats-io/jetstream";
import { EngineError } from "@switchyard/contracts";
import type { Broker } from "./broker.ts";
import { isMissing } from "./broker-failure.ts";

/** Settings that a stream must have. The broker's operator can choose all other settings. */
export type StreamShape = Pick<StreamConfig, "name" | "subjects" | "storage"> & Partial<StreamConfig>;

/** Names of settings that are checked, because messages could be lost with other values. */
const REQUIRED_SETTINGS = ["retention", "max_msgs", "max_age", "max_msgs_per_subject", "discard", "storage"] as const;

const NAME = /^[A-Za-z0-9_-]{1,48}$/;

/** Validates the name of a stream. Throws `config.invalid`. */
export function assertStreamName(name: string, field = "name"): void {
  if (NAME.test(name)) return;
  const problem = "it needs 1 to 48 letters, digits, `-` and `_`";
  throw new EngineError("config.invalid", { field, problem });
}

/**
 * Opens a stream, or creates it with default limits. Rejects with `config.invalid` if a stream of this name exists
 * whose settings could lose messages.
 */
export async function openStream(
  broker: Broker,
  shape: StreamShape,
  usual: Partial<StreamConfig> = {},
): Promise<StreamConfig> {
  const { jsm } = broker;
  const wanted = { retention: "limits", discard: "new", ...shape } as const;
  const found = await broker.ask(async () => {
    const existing = await jsm.streams.info(shape.name).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    // Another process may be creating the same stream with other limits at the same time.
    return (
      existing ??
      (await jsm.streams.add({ ...usual, ...wanted }).catch(async (error: unknown) => {
        // If another process has created the stream, which the broker reports in several ways, that stream is used.
        return await jsm.streams.info(shape.name).catch(() => {
          throw error;
        });
      }))
    );
  });
  const { config } = found;
  const differing = REQUIRED_SETTINGS.filter((key) => wanted[key] !== undefined && wanted[key] !== config[key]);
  if (differing.length === 0) return config;
  const problem = `the stream ${shape.name} of the broker has ${differing.map((key) => `${key} ${config[key]}`).join(", ")}`;
  throw new EngineError("config.invalid", { field: "name", problem });
}
