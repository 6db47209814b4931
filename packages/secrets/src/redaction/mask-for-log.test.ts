import fc from "fast-check";
import { expect, test } from "vitest";
import { maskForLog, REDACTED } from "../index.ts";

test("fields with credential-like names are masked, others are not [custom-masking-6]", () => {
  const data = {
    OPENAI_API_KEY: "short",
    headers: { Authorization: "Bearer x", accept: "text/plain" },
    list: [{ accessToken: "abc" }, { monkey: "abc", keyboard: "qwerty" }],
    db_password: "pw",
    token: 5,
    secret: "",
  };
  expect(maskForLog(data)).toEqual({
    OPENAI_API_KEY: REDACTED,
    headers: { Authorization: REDACTED, accept: "text/plain" },
    list: [{ accessToken: REDACTED }, { monkey: "abc", keyboard: "qwerty" }],
    db_password: REDACTED,
    token: 5,
    secret: "",
  });
});

test("dates and bytes are unchanged, and circular data is masked [custom-masking-6]", () => {
  const at = new Date(0);
  const request: Record<string, unknown> = { at, body: new Uint8Array([1, 2]), password: "hunter2" };
  request["error"] = Object.assign(new Error("refused"), { request });
  const logged = maskForLog(request);
  expect(logged).toMatchObject({ at, body: new Uint8Array([1, 2]), password: REDACTED, error: { message: "refused" } });
  expect(logged["error"]).toMatchObject({ request: { password: REDACTED } });
  expect(request["password"]).toBe("hunter2");
});

test.each([
  ["https://host/run?api_key=abc&page=2", `https://host/run?api_key=${REDACTED}&page=2`],
  ["at https://host/?sig=a8Jk2LmQ9xZ4vB7nT1wYcD&x=1.", `at https://host/?sig=${REDACTED}&x=1.`],
  ["https://host/cb#access_token=abc", `https://host/cb#access_token=${REDACTED}`],
  ["https://host/?q=how-to-mask-a-text-in-2024-or-so", "https://host/?q=how-to-mask-a-text-in-2024-or-so"],
  ["https://host/?page=2&sort=name", "https://host/?page=2&sort=name"],
  ["key sk-abcdefghijklmnopqrstuvwx here", `key ${REDACTED} here`],
  ["no address, a=b", "no address, a=b"],
])("%s [custom-masking-6]", (text, masked) => {
  expect(maskForLog(text)).toBe(masked);
  expect(maskForLog({ said: text })).toEqual({ said: masked });
});

test("masking is idempotent", () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.jsonValue(), (url, value) => {
      const once = maskForLog({ url, value });
      expect(maskForLog(once)).toEqual(once);
    }),
  );
});
