import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import { type EgressDecision, parseEgressRules, startEgressProxy } from "@switchyard/gateway/egress";
import { clientHello } from "./client-hello-bytes.ts";
import { openTunnel } from "./control-rows.ts";
import type { FakeInternet } from "./fake-internet.ts";

/** Limits that the clients below exceed. */
const LIMITS = { maxConnections: 3, handshakeTimeoutMs: 300, idleTimeoutMs: 60_000, maxBytes: 100_000 };
/** Maximum time until the proxy closes a connection that exceeds a limit of `LIMITS`, in milliseconds. */
const CLOSE_MS = 60_000;
const TUNNEL = "CONNECT good.example:443 HTTP/1.1\r\nHost: good.example:443\r\n\r\n";
const HELLO = clientHello("limits", "good.example");

/** A client that exceeds a limit: what it sends, and the reason that the proxy reports. */
interface SlowClient {
  readonly name: string;
  readonly first: string;
  /** Sent after the proxy has answered. */
  readonly second?: Buffer;
  readonly reason: EgressDecision["reason"];
}

const CLIENTS: readonly SlowClient[] = [
  { name: "headers that never end", first: "GET http://good.example/ HTTP/1.1\r\nHost: go", reason: "request_invalid" },
  { name: "a tunnel without a handshake", first: TUNNEL, reason: "timeout" },
  { name: "a tunnel with half a handshake", first: TUNNEL, second: HELLO.subarray(0, 40), reason: "timeout" },
  { name: "a connection without a request", first: "", reason: "request_invalid" },
  {
    name: "more bytes than allowed",
    first: `POST http://good.example/ HTTP/1.1\r\nHost: good.example\r\nContent-Length: 200000\r\n\r\n${"x".repeat(200_000)}`,
    reason: "byte_limit",
  },
];

/** Connects a client and resolves when the proxy has closed the connection. */
function closeOf(socketPath: string, { first, second }: SlowClient): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the proxy did not close the connection")), CLOSE_MS);
    let rest = second;
    const client = connect({ path: socketPath, allowHalfOpen: true }, () => client.write(first));
    client.on("data", () => {
      if (rest !== undefined) client.write(rest);
      rest = undefined;
    });
    client.on("error", () => {});
    client.on("end", () => client.end());
    client.on("close", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Clients that exceed limits. Resolves with one text per client, which is `ok` or describes the failure. */
export async function limits({ ca }: FakeInternet): Promise<Record<string, string>> {
  const results: Record<string, string> = {};
  for (const client of CLIENTS) {
    const decisions: EgressDecision[] = [];
    const onDecision = (decision: EgressDecision): void => void decisions.push(decision);
    const rules = parseEgressRules("list:good.example,good.example:80");
    await using proxy = await startEgressProxy({ rules, onDecision, limits: LIMITS });
    const failure = await closeOf(proxy.socketPath, client).catch(String);
    const reasons = decisions.map(({ reason }) => reason).filter((reason) => reason !== "allowed");
    results[client.name] = failure ?? (`${reasons}` === client.reason ? "ok" : `${reasons}`);
  }
  results["more connections than allowed"] = await tooMany();
  results["an idle tunnel"] = await idleTunnel(ca);
  return results;
}

async function idleTunnel(ca: string): Promise<string> {
  const rules = parseEgressRules("list:good.example");
  await using proxy = await startEgressProxy({ rules, onDecision: () => {}, limits: { idleTimeoutMs: 300 } });
  const tunnel = await openTunnel(proxy.socketPath, "good.example:443");
  const client = connectTls({ socket: tunnel, servername: "good.example", ca });
  client.on("error", () => {});
  await new Promise((resolve) => client.once("secureConnect", resolve));
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve("the proxy did not close the tunnel"), CLOSE_MS);
    tunnel.once("close", () => {
      clearTimeout(timer);
      resolve("ok");
    });
  });
}

async function tooMany(): Promise<string> {
  const decisions: EgressDecision[] = [];
  const onDecision = (decision: EgressDecision): void => void decisions.push(decision);
  await using proxy = await startEgressProxy({ rules: [], onDecision, limits: { maxConnections: 3 } });
  const open = Array.from({ length: 3 }, () => connect(proxy.socketPath));
  await Promise.all(open.map((client) => new Promise((resolve) => client.once("connect", resolve))));
  const answer = await new Promise<string>((resolve) => {
    const client = connect(proxy.socketPath);
    client.once("data", (data) => resolve(String(data)));
  });
  for (const client of open) client.destroy();
  return answer.startsWith("HTTP/1.1 503") && decisions[0]?.reason === "too_many_connections" ? "ok" : answer;
}
