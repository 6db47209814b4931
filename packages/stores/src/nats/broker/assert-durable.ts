import { EngineError, messageOf } from "@switchyard/contracts";
import type { Broker } from "./broker.ts";
import type { BrokerDurability } from "./broker-durability.ts";

const ANSWER_MS = 5_000;

/** Properties of a NATS server: its identity, and whether it flushes each message to disk before acknowledging it. */
export interface ServerState {
  readonly serverId: string;
  readonly isSynced: boolean;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** Parses the `/jsz` monitoring page of a NATS server. `undefined` if the data has another format. */
export function parseServerState(page: unknown): ServerState | undefined {
  const serverId = fieldOf(page, "server_id");
  if (typeof serverId !== "string") return undefined;
  return { serverId, isSynced: fieldOf(fieldOf(page, "config"), "sync_always") === true };
}

async function stateAt(url: string): Promise<ServerState> {
  const page = new URL("/jsz?config=true", url);
  const answer = await fetch(page, { redirect: "error", signal: AbortSignal.timeout(ANSWER_MS) });
  const state = parseServerState(await answer.json());
  if (state === undefined) throw new Error(`${page.href} is not a monitoring page of a NATS server`);
  return state;
}

/**
 * Checks that a broker can provide the requested durability. Rejects with `broker.not_durable` if a server does not
 * report that it flushes each message, or if the monitored servers do not include the connected one.
 */
export async function assertDurable(broker: Broker, durability: BrokerDurability): Promise<void> {
  if (durability === "process") return;
  const refuse = (problem: string, cause?: unknown): EngineError =>
    new EngineError("broker.not_durable", { address: broker.address, problem }, { cause });
  const states: ServerState[] = [];
  for (const url of durability.power) {
    states.push(
      await stateAt(url).catch((error: unknown) => {
        throw refuse(messageOf(error), error);
      }),
    );
  }
  const careless = states.find(({ isSynced }) => !isSynced);
  if (careless !== undefined) throw refuse(`the server ${careless.serverId} syncs at intervals`);
  const connected = broker.connection.info?.server_id;
  if (states.some(({ serverId }) => serverId === connected)) return;
  throw refuse(`none of the monitoring addresses belongs to the server ${connected}`);
}
