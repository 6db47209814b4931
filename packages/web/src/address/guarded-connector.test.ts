import { Socket } from "node:net";
import { expect, test } from "vitest";
import { createGuardedConnector } from "./guarded-connector.ts";

/** Connects to a host name with a connector whose sockets are connected to the given address. */
function connect(remoteAddress: string) {
  const opened = new Socket();
  Object.defineProperty(opened, "remoteAddress", { value: remoteAddress });
  const options = { allowedOrigins: new Set<string>(), timeoutMs: 1_000 };
  const connector = createGuardedConnector(() => (_, callback) => callback(null, opened), options);
  const results: (Error | Socket)[] = [];
  connector({ hostname: "pages.example", protocol: "https:", port: "443" }, (...[error, socket]) => {
    results.push(error ?? socket);
  });
  return { opened, results };
}

test("a socket that is connected to a public address is returned open", () => {
  const { opened, results } = connect("93.184.216.34");
  expect(results).toEqual([opened]);
  expect(opened.destroyed).toBe(false);
});

test("a socket that is connected to a private address is destroyed and not returned", () => {
  const { opened, results } = connect("10.0.0.1");
  expect(results).toMatchObject([{ code: "web.address_refused" }]);
  expect(opened.destroyed).toBe(true);
});
