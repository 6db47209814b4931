import { expect, test } from "vitest";
import { createRequestFilter, MAX_REPORTED, type NetworkRequest } from "./request-filter.ts";

function request(host: string, verdict: NetworkRequest["verdict"], port = 443): NetworkRequest {
  return { kind: "tunnel", host, port, verdict, reason: "r", message: "m" };
}

test("an allowed target is reported once, and each refusal", () => {
  const filter = createRequestFilter();
  expect(filter(request("a", "allowed"))).toBe("report");
  expect(filter(request("a", "allowed"))).toBe("repeated");
  expect(filter(request("a", "allowed", 80))).toBe("report");
  expect(filter(request("a", "refused"))).toBe("report");
  expect(filter(request("a", "failed"))).toBe("report");
});

test("neither allowed targets nor repeated refusals crowd out the first refusal of a target", () => {
  const filter = createRequestFilter();
  const results = (many: number, toRequest: (index: number) => NetworkRequest): readonly string[] => [
    ...new Set(Array.from({ length: many }, (_, index) => filter(toRequest(index)))),
  ];
  expect(results(MAX_REPORTED, (index) => request(`a${index}`, "allowed"))).toEqual(["report"]);
  expect(filter(request("next", "allowed"))).toBe("over_limit");
  expect(results(MAX_REPORTED + 1, () => request("b", "refused"))).toEqual(["report"]);
  expect(filter(request("b", "refused"))).toBe("over_limit");
  expect(results(MAX_REPORTED - 1, (index) => request(`c${index}`, "refused"))).toEqual(["report"]);
  expect(filter(request("next", "refused"))).toBe("over_limit");
});
