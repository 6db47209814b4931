import { EngineError } from "@switchyard/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkTarget } from "./check-target.ts";
import { parseEgressRules } from "./egress-rules.ts";
import { parseAuthority, parseHost } from "./parse-host.ts";

const rules = parseEgressRules("list:Example.com, *.trusted.example ,api.example.com:8443,git-hosts");

test.each([
  ["example.com", 443, "allowed"],
  ["example.com", 80, "port_not_listed"],
  ["www.example.com", 443, "host_not_listed"],
  ["example.com.evil.test", 443, "host_not_listed"],
  ["notexample.com", 443, "host_not_listed"],
  ["a.trusted.example", 443, "allowed"],
  ["a.b.trusted.example", 443, "allowed"],
  ["trusted.example", 443, "host_not_listed"],
  ["nottrusted.example", 443, "host_not_listed"],
  ["api.example.com", 8443, "allowed"],
  ["api.example.com", 443, "port_not_listed"],
  ["github.com", 443, "allowed"],
  ["registry.npmjs.org", 443, "host_not_listed"],
])("%s on port %i is %s", (host, port, expected) => {
  expect(checkTarget(rules, host, port)).toBe(expected);
});

test.each([
  ["", "does not start with"],
  ["none", "does not start with"],
  ["list:", "contains no host"],
  ["list: , ", "contains no host"],
  ["list:a.example,,b.example", "empty entry"],
  ["list:*", "cannot be allowed"],
  ["list:*.com", "whole top-level domain"],
  ["list:*.*.example.com", "malformed"],
  ["list:a.*.example.com", "malformed"],
  ["list:localhost", "named list (registries, git-hosts)"],
  ["list:constructor", "named list (registries, git-hosts)"],
  ["list:127.0.0.1", "IP address"],
  ["list:2130706433", "IP address"],
  ["list:0x7f.1", "IP address"],
  ["list:[::1]", "cannot be allowed"],
  ["list:::1", "cannot be allowed"],
  ["list:https://example.com", "no scheme"],
  ["list:user@example.com", "no scheme"],
  ["list:example.com/path", "no scheme"],
  ["list:example.com:0", "port of"],
  ["list:example.com:65536", "port of"],
  ["list:example.com:*", "port of"],
  ["list:example.com:443:80", "several colons"],
  ["list:example.com.", "ends with a dot"],
  ["list:еxample.com", "xn--xample-2of.com"],
  [`list:${Array.from({ length: 257 }, (_, index) => `h${index}.example`).join()}`, "more than 256"],
])("the list %.40s is rejected", (text, problem) => {
  const error = (() => {
    try {
      return parseEgressRules(text);
    } catch (thrown) {
      return thrown;
    }
  })();
  expect(EngineError.is(error, "config.invalid") && error.details["field"]).toBe("env_network");
  expect(String(error)).toContain(problem);
});

test.each([
  "127.0.0.1",
  "127.1",
  "0177.0.0.1",
  "0x7f000001",
  "2130706433",
  "1.1.1.1.",
  "a.example.",
  "::1",
  "[::1]",
  "[a.example]",
  "fe80::1%eth0",
  "ⓐ.example",
  "а.example",
  "a。example",
  "a%2eexample",
  "a.example%00.b.example",
  "a.example\0.b.example",
  "a..example",
  ".example.com",
  "-a.example",
  "a-.example",
  "a_b.example",
  "a b.example",
  "a.example\t",
  "localhost",
  "",
  `${"a".repeat(64)}.example`,
  `${"a.".repeat(130)}example`,
])("%j is not a host name", (text) => {
  expect(parseHost(text)).toHaveProperty("problem");
});

test.each([
  "a.example:",
  "a.example:0",
  "a.example:080",
  "a.example:65536",
  "a.example:4 43",
  "a.example:443:443",
  "a@b.example:1",
  "a.example:+1",
])("%j is not a host and a port", (text) => {
  expect(parseAuthority(text, 443)).toHaveProperty("problem");
});

test("a port is required if there is no default port", () => {
  expect(parseAuthority("A.Example:8443", undefined)).toEqual({ host: "a.example", port: 8443 });
  expect(parseAuthority("a.example", undefined)).toHaveProperty("problem");
  expect(parseAuthority("a.example", 80)).toEqual({ host: "a.example", port: 80 });
});

test("whatever a URL parser reads as an IP address is not a host name", () => {
  const number = fc
    .oneof(fc.nat(0xffffffff), fc.nat(255))
    .chain((value) =>
      fc.constantFrom(`${value}`, `0x${value.toString(16)}`, `0${value.toString(8)}`, `0X${value.toString(16)}`),
    );
  fc.assert(
    fc.property(fc.array(number, { minLength: 1, maxLength: 4 }), (parts) => {
      expect(parseHost(parts.join("."))).toHaveProperty("problem");
    }),
    { numRuns: 200 },
  );
});

test("a parsed host is the host that a URL parser reads", () => {
  const label = fc.string({ unit: fc.constantFrom(..."abYZ09-_%.é"), minLength: 1, maxLength: 6 });
  const name = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join("."));
  fc.assert(
    fc.property(fc.oneof(name, fc.string({ unit: "binary", maxLength: 20 })), (text) => {
      const parsed = parseHost(text);
      if ("host" in parsed && !parsed.host.includes("xn--"))
        expect(new URL(`http://${text}/`).hostname).toBe(parsed.host);
    }),
    { numRuns: 300 },
  );
});
