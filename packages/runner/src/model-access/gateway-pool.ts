import { isDeepStrictEqual } from "node:util";
import type { ModelGateway, ModelGatewayOptions, ModelUpstream } from "@switchyard/gateway";

/** Options of a model gateway (a server that forwards model calls). Runs with the same options can share a gateway. */
export type GatewaySettings = Pick<ModelGatewayOptions, "upstreams" | "proxy" | "prices" | "limits" | "retry" | "now">;

/** Use of a shared gateway by one run. */
export interface GatewayLease {
  /** The gateway. It stays open until `release` is called. */
  readonly gateway: ModelGateway;
  /** Ends the use. Closes the gateway if no other run uses it. Can be called more than once. */
  release(): Promise<void>;
}

/** Opens model gateways that runs share. */
export interface GatewayPool {
  /** Returns the open gateway with these settings, or opens one. Rejects with `config.invalid`. */
  acquire(settings: GatewaySettings): Promise<GatewayLease>;
}

interface PooledGateway {
  readonly settings: GatewaySettings;
  readonly opening: Promise<ModelGateway>;
  users: number;
}

/**
 * Creates a pool of gateways. Runs with equal settings share one gateway, which is closed when its last run releases it.
 * A run that starts after an API key was replaced therefore gets a gateway with the new key.
 */
export function createGatewayPool(
  open: (settings: GatewaySettings) => Promise<ModelGateway> = openGateway,
): GatewayPool {
  const pooled = new Set<PooledGateway>();
  function find(settings: GatewaySettings): PooledGateway {
    const found = [...pooled].find((one) => isEqual(one.settings, settings));
    if (found !== undefined) return found;
    const added = { settings, opening: open(settings), users: 0 };
    pooled.add(added);
    return added;
  }
  /** Returns true if the gateway has no users left. */
  function leave(one: PooledGateway): boolean {
    one.users -= 1;
    return one.users === 0 && pooled.delete(one);
  }
  return {
    async acquire(settings) {
      const used = find(settings);
      used.users += 1;
      const gateway = await used.opening.catch((error: unknown) => {
        leave(used);
        throw error;
      });
      let isReleased = false;
      return {
        gateway,
        async release() {
          if (isReleased) return;
          isReleased = true;
          if (leave(used)) await gateway.close();
        },
      };
    },
  };
}

/** Gateways of all runs of this process. */
export const GATEWAYS: GatewayPool = createGatewayPool();

async function openGateway(settings: GatewaySettings): Promise<ModelGateway> {
  const { createModelGateway } = await import("@switchyard/gateway");
  return createModelGateway(settings);
}

function isEqual(one: GatewaySettings, other: GatewaySettings): boolean {
  // The order of the providers matters: a request goes to the first provider that offers its API.
  const upstreams = Object.entries(one.upstreams);
  const others = Object.entries(other.upstreams);
  const settingsOf = ({ proxy, prices, limits, retry, now }: GatewaySettings) => [proxy, prices, limits, retry, now];
  return (
    isDeepStrictEqual(settingsOf(one), settingsOf(other)) &&
    upstreams.length === others.length &&
    upstreams.every(([name, upstream], index) => {
      const [otherName, otherUpstream] = others[index] ?? [];
      return name === otherName && isEqualUpstream(upstream, otherUpstream);
    })
  );
}

function isEqualUpstream(one: ModelUpstream, other: ModelUpstream = {}): boolean {
  // Two `Secret` objects are deeply equal whatever they contain.
  const [{ apiKey, ...rest }, { apiKey: otherKey, ...otherRest }] = [one, other];
  return apiKey?.reveal() === otherKey?.reveal() && isDeepStrictEqual(rest, otherRest);
}
