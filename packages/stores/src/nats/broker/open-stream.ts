import type { StreamConfig } from "@nats-io/jetstream";
import { EngineError } from "@switchyard/contracts";
import type { Broker } from "./broker.ts";
import { isMissing } from "./broker-failure.ts";

/** What a stream has to be like; everything else is up to whoever runs the broker. */
export type StreamShape = Pick<StreamConfig, "name" | "subjects" | "storage"> & Partial<StreamConfig>;

/** What would lose something if it were otherwise. */
const KEPT = ["retention", "max_msgs", "max_age", "max_msgs_per_subject", "discard", "storage"] as const;

const NAME = /^[A-Za-z0-9_-]{1,48}$/;

/** Checks the name of what is kept on a broker. Throws `config.invalid`. */
export function assertStreamName(name: string, field = "name"): void {
  if (NAME.test(name)) return;
  const problem = "it needs 1 to 48 letters, digits, `-` and `_`";
  throw new EngineError("config.invalid", { field, problem });
}

/**
 * Finds a stream, or makes it, then with the usual limits as well. Rejects with `config.invalid` when there is one of that name which keeps less than
 * what is asked for.
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
    // Of many who make it at the same time, one may have asked for other limits of its own.
    return (
      existing ??
      (await jsm.streams.add({ ...usual, ...wanted }).catch(async (error: unknown) => {
        // Somebody made it meanwhile, which the broker says in several ways: what is there then decides.
        return await jsm.streams.info(shape.name).catch(() => {
          throw error;
        });
      }))
    );
  });
  const { config } = found;
  const differing = KEPT.filter((key) => wanted[key] !== undefined && wanted[key] !== config[key]);
  if (differing.length === 0) return config;
  const problem = `the stream ${shape.name} of the broker has ${differing.map((key) => `${key} ${config[key]}`).join(", ")}`;
  throw new EngineError("config.invalid", { field: "name", problem });
}
