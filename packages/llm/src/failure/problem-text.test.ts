import fc from "fast-check";
import { expect, test } from "vitest";
import { describeNetwork, describeRefusal, oneLine } from "./problem-text.ts";

const asItIs = (text: string): string => text;
const SILENT = { message: undefined, kind: "", text: "", status: undefined, retryAfterMs: undefined };

test.each([
  ["ECONNREFUSED", "the connection was refused"],
  ["ENOTFOUND", "the host name is unknown"],
  ["UND_ERR_CONNECT_TIMEOUT", "no connection within the time limit"],
])("%s deep in the causes is described in plain words", (code, words) => {
  const inner = Object.assign(new Error("inner"), { code });
  expect(describeNetwork(new TypeError("fetch failed", { cause: new AggregateError([inner]) }), asItIs)).toBe(words);
});

test("an unknown code is reported as it is", () => {
  const error = Object.assign(new Error("wrong version number"), { code: "ERR_SSL_WRONG_VERSION_NUMBER" });
  expect(describeNetwork(error, asItIs)).toBe("wrong version number (ERR_SSL_WRONG_VERSION_NUMBER)");
});

test("an untrusted certificate is reported with what to do", () => {
  const error = Object.assign(new Error("self-signed certificate"), { code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
  expect(describeNetwork(error, asItIs)).toContain("NODE_EXTRA_CA_CERTS");
});

test.each([
  ["<!DOCTYPE html><html>…", "the response is a web page, not an API response"],
  ["upstream is down", "upstream is down"],
  ['{"trace":["secret"]}', "Bad Gateway"],
  ["", "Bad Gateway"],
])("%j is explained without quoting pages and bodies", (body, expected) => {
  expect(describeRefusal({ info: SILENT, body, statusText: "Bad Gateway" }, asItIs)).toBe(expected);
});

test("a problem is always one printable line of at most 300 characters", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 900 }), (text) => {
      const line = oneLine(text, asItIs);
      expect(line.length).toBeLessThanOrEqual(300);
      expect(line).not.toMatch(/\p{Cc}/u);
    }),
  );
});
