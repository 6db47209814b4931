import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { EgressDecision } from "../egress-decision.ts";
import { parseEgressRules } from "../rules/egress-rules.ts";
import { startEgressProxy } from "./start-egress-proxy.ts";

test("closing the proxy cancels a connection whose host name is still being resolved", async () => {
  let onLookup: () => void = () => {};
  const isLookingUp = new Promise<void>((resolve) => (onLookup = resolve));
  const decisions: EgressDecision[] = [];
  const proxy = await startEgressProxy({
    rules: parseEgressRules("list:slow.example"),
    onDecision: (decision) => void decisions.push(decision),
    findAddresses: () => {
      onLookup();
      return new Promise(() => {});
    },
  });
  const client = connect(proxy.socketPath);
  onTestFinished(() => void client.destroy());
  client.on("error", () => {});
  await once(client, "connect");
  client.write("CONNECT slow.example:443 HTTP/1.1\r\nHost: slow.example:443\r\n\r\n");
  await isLookingUp;
  await proxy[Symbol.asyncDispose]();
  expect(decisions).toMatchObject([{ host: "slow.example", reason: "name_not_found" }]);
});
