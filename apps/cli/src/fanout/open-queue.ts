import { EngineError, type WorkQueue } from "@switchyard/contracts";
import { secret } from "@switchyard/secrets";
import type { BrokerCredentials } from "@switchyard/stores/nats";
import type { World } from "../world/world.ts";

/** Which queue, and how it is used. */
export interface QueueChoice {
  /** `nats://HOST:PORT/NAME`; the name is `switchyard` when there is none. */
  readonly url: string;
  /** Milliseconds without a sign of life after which a task goes to another worker; the queue's own by default. */
  readonly leaseMs?: number | undefined;
}

function invalid(problem: string): EngineError {
  return new EngineError("config.invalid", { field: "--queue", problem });
}

function credentialsOf({ env }: World): BrokerCredentials | undefined {
  const { NATS_TOKEN: token, NATS_USER: user, NATS_PASSWORD: password } = env;
  if (token !== undefined && token !== "") return { token: secret(token) };
  if (user === undefined || user === "" || password === undefined) return undefined;
  return { user, password: secret(password) };
}

/** Opens the queue of an address. Rejects with `config.invalid` or `broker.unreachable`. */
export async function openQueue(world: World, { url, leaseMs }: QueueChoice): Promise<WorkQueue> {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address === undefined || !["nats:", "tls:"].includes(address.protocol) || address.hostname === "") {
    throw invalid("it needs an address such as nats://127.0.0.1:4222/nightly");
  }
  if (address.username !== "" || address.password !== "") {
    throw invalid("a password in it could be seen by others; set NATS_TOKEN, or NATS_USER and NATS_PASSWORD");
  }
  const name = decodeURIComponent(address.pathname.slice(1));
  const { openNatsWorkQueue } = await import("@switchyard/stores/nats");
  return await openNatsWorkQueue({
    servers: `${address.protocol}//${address.host}`,
    ...(name === "" ? {} : { name }),
    credentials: credentialsOf(world),
    leaseMs,
  });
}
