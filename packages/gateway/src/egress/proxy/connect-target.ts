import { connect, type Socket } from "node:net";
import { EngineError, messageOf } from "@switchyard/contracts";
import { type FindAddresses, guardedLookup, isPublicAddress, systemAddresses } from "@switchyard/web/address";
import type { EgressReason } from "../egress-decision.ts";
import { checkTarget } from "../rules/check-target.ts";
import type { EgressContext } from "./egress-context.ts";
import { connectThrough } from "./host-proxy.ts";

/** An open connection, or the reason why there is none. */
export type ConnectedTarget =
  | { readonly socket: Socket; readonly address: string }
  | { readonly reason: EgressReason; readonly detail?: string | undefined; readonly address?: string | undefined };

/**
 * Checks a target against the rules, resolves its name once, and connects to one of the resolved addresses, through the
 * proxy of this machine if it has one. Refuses the target if any of the addresses is not public.
 */
export async function connectTarget(context: EgressContext, host: string, port: number): Promise<ConnectedTarget> {
  const check = checkTarget(context.rules, host, port);
  if (check !== "allowed") return { reason: check };
  let isResolved = false;
  const findAddresses: FindAddresses = async (name) => {
    const addresses = await (context.findAddresses ?? systemAddresses)(name);
    isResolved = addresses.length > 0;
    return addresses;
  };
  const proxy = context.hostProxy(host, port);
  try {
    if (proxy !== undefined) {
      const { signal, limits } = context;
      const address = await resolveName(host, findAddresses, signal);
      const socket = await connectThrough(proxy, { address, port, signal, timeoutMs: limits.connectTimeoutMs });
      return { socket, address };
    }
    const socket = await open(context, { host, port, findAddresses });
    const { remoteAddress: address = "" } = socket;
    if (isPublicAddress(address)) return { socket, address };
    socket.destroy();
    return { reason: "address_refused", detail: address, address };
  } catch (error) {
    if (EngineError.is(error, "web.address_refused")) {
      const address = String(error.details["address"]);
      return { reason: "address_refused", detail: address, address };
    }
    return { reason: isResolved ? "connection_failed" : "name_not_found", detail: messageOf(error) };
  }
}

/** Resolves a name to its first address. Rejects if any of its addresses is not public. */
function resolveName(host: string, findAddresses: FindAddresses, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(new Error("the environment was closed"));
    signal.addEventListener("abort", abort, { once: true });
    guardedLookup(findAddresses)(host, {}, (error, address) => {
      signal.removeEventListener("abort", abort);
      if (error !== null) reject(error);
      else if (typeof address === "string") resolve(address);
      else reject(new Error(`${host} has no address`));
    });
  });
}

interface Target {
  readonly host: string;
  readonly port: number;
  readonly findAddresses: FindAddresses;
}

function open({ limits, signal }: EgressContext, { host, port, findAddresses }: Target): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      ...{ host, port, signal, lookup: guardedLookup(findAddresses) },
      ...{ autoSelectFamily: true, allowHalfOpen: true, noDelay: true },
    });
    const timer = setTimeout(
      () => socket.destroy(new Error(`no connection within ${limits.connectTimeoutMs} ms`)),
      limits.connectTimeoutMs,
    );
    socket.once("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    socket.once("connect", () => {
      clearTimeout(timer);
      // The caller adds its own listener. Until then, an error must not end this process.
      socket.on("error", () => {});
      resolve(socket);
    });
  });
}
