import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { type EgressDecision, startEgressProxy } from "@switchyard/gateway/egress";
import { expect, onTestFinished, test } from "vitest";
import { createHostProxy } from "../../src/egress/proxy/host-proxy.ts";
import { parseEgressRules } from "../../src/egress/rules/egress-rules.ts";
import { clientHello } from "./client-hello-bytes.ts";

/** A proxy of this machine that answers every tunnel itself. */
async function startHostProxy(status = 200) {
  const opened: (string | undefined)[][] = [];
  const received = { text: "" };
  const server = createServer();
  server.on("connect", ({ url, headers }, client: Socket) => {
    opened.push([url, headers.host, headers["proxy-authorization"]]);
    client.on("error", () => {}).write(`HTTP/1.1 ${status} Answer\r\n\r\n`);
    client.on("data", (chunk: Buffer) => {
      received.text += chunk.toString("latin1");
      client.end("HTTP/1.1 204 No Content\r\n\r\n");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port }: Pick<AddressInfo, "port"> = Object(server.address());
  return { url: `http://user:p%40ss@127.0.0.1:${port}`, port, opened, received };
}

/** Starts the egress proxy behind a proxy of this machine. The names that begin with `in` have a private address. */
async function startBehind(url: string) {
  const decisions: EgressDecision[] = [];
  const proxy = await startEgressProxy({
    rules: parseEgressRules("list:*.b.example,*.b.example:80"),
    onDecision: (decision) => decisions.push(decision),
    findAddresses: async (name) => {
      if (name.startsWith("no.")) throw new Error("no such name");
      return [{ address: name.startsWith("in.") ? "10.0.0.1" : "93.184.216.34", family: 4 }];
    },
    hostProxy: { http: url, https: url },
  });
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  return { decisions, socketPath: proxy.socketPath };
}

/** Sends the first part, and the second one after the answer. Resolves with everything that arrived. */
async function exchange(socketPath: string, first: string, second?: Buffer): Promise<string> {
  const client = connect(socketPath, () => client.write(first));
  let answer = "";
  client.on("data", (chunk) => {
    if (answer === "" && second !== undefined) client.write(second);
    answer += chunk.toString("latin1");
  });
  client.on("error", () => {});
  await new Promise((resolve) => client.once("close", resolve));
  return answer;
}

const tunnelTo = (host: string): string => `CONNECT ${host}:443 HTTP/1.1\r\nHost: ${host}:443\r\n\r\n`;

test("connections go through the proxy of this machine, which gets a checked address instead of a name", async () => {
  const host = await startHostProxy();
  const { decisions, socketPath } = await startBehind(host.url);
  await exchange(socketPath, tunnelTo("a.b.example"), clientHello("0123456789abcdef", "a.b.example"));
  expect(host.received.text).toContain("a.b.example");
  const plain = await exchange(socketPath, "GET http://a.b.example/path HTTP/1.1\r\nHost: a.b.example\r\n\r\n");
  expect(plain).toMatch(/^HTTP\/1\.1 204 /);
  const authorization = `Basic ${Buffer.from("user:p@ss").toString("base64")}`;
  expect(host.opened).toEqual([
    ["93.184.216.34:443", "93.184.216.34:443", authorization],
    ["93.184.216.34:80", "93.184.216.34:80", authorization],
  ]);
  expect(decisions).toMatchObject([
    { kind: "tunnel", host: "a.b.example", verdict: "allowed" },
    { kind: "http", host: "a.b.example", verdict: "allowed", address: "93.184.216.34" },
  ]);
});

test("what the proxy of this machine must not reach is refused before it is asked, and its failure is explained", async () => {
  const host = await startHostProxy(407);
  const { decisions, socketPath } = await startBehind(host.url);
  for (const name of ["in.b.example", "other.example", "no.b.example"]) {
    expect(await exchange(socketPath, tunnelTo(name))).not.toContain(" 200 ");
  }
  expect(host.opened).toEqual([]);
  expect(await exchange(socketPath, tunnelTo("a.b.example"))).toContain(" 502 ");
  expect(decisions.map(({ reason }) => reason)).toEqual([
    ...["address_refused", "host_not_listed", "name_not_found", "connection_failed"],
  ]);
  expect(decisions.at(-1)?.message).toContain(
    `the proxy 127.0.0.1:${host.port} of this machine answered with HTTP 407`,
  );
});

test("hosts in NO_PROXY are connected directly, and other addresses than those of HTTP proxies are refused", () => {
  const proxyOf = createHostProxy({
    http: "http://p:1",
    https: "https://q",
    none: "one.example, .two.example three:8443",
  });
  expect(proxyOf("a.example", 80)?.host).toBe("p:1");
  expect(proxyOf("a.example", 8443)?.host).toBe("q");
  for (const direct of ["one.example", "a.one.example", "two.example", "a.two.example"]) {
    expect([direct, proxyOf(direct, 443)]).toEqual([direct, undefined]);
  }
  expect([proxyOf("three", 8443), proxyOf("three", 443)?.host]).toEqual([undefined, "q"]);
  expect(proxyOf("notone.example", 443)?.host).toBe("q");
  expect(createHostProxy({ https: "http://p", none: "*" })("a.example", 443)).toBeUndefined();
  expect(() => createHostProxy({ https: "socks5://p:1" })).toThrow("HTTPS_PROXY");
});
