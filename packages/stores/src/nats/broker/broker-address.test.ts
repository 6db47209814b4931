import { expect, test } from "vitest";
import { parseBrokerAddress } from "./broker-address.ts";

const parse = (address: string, env: Record<string, string> = {}) =>
  parseBrokerAddress(address, { env, workingDirectory: "/project" }, "store");

test("an address names servers and a queue or store", () => {
  expect(parse("nats://127.0.0.1:4222,10.0.0.2:4222/nightly%20runs")).toMatchObject({
    ...{ servers: ["nats://127.0.0.1:4222", "nats://10.0.0.2:4222"], name: "nightly runs" },
    ...{ credentials: undefined, tls: undefined },
  });
  expect(parse("tls://broker/")).toEqual({ servers: ["tls://broker"], credentials: undefined, tls: {} });
});

test("credentials and certificates come from the environment, and a logged address does not show them", () => {
  const token = parse("nats://a", { NATS_TOKEN: "t0ken", NATS_CA: "ca.pem" });
  expect(token.tls).toEqual({ caFile: "/project/ca.pem" });
  expect(JSON.stringify(token)).not.toContain("t0ken");
  const { credentials } = parse("nats://a", { NATS_USER: "ada", NATS_PASSWORD: "pw" });
  expect(credentials !== undefined && "password" in credentials && credentials.password.reveal()).toBe("pw");
  expect(parse("nats://a", { NATS_CREDS: "x.creds" }).credentials).toEqual({ credsFile: "/project/x.creds" });
});

test.each(["nats://ada:pw@host", "http://host", "nats://", "host"])("%s is rejected", (address) => {
  expect(() => parse(address)).toThrow(expect.objectContaining({ code: "config.invalid" }));
});
