import { expect, test } from "vitest";
import { linkTarget } from "./link-target.ts";

test("only absolute web and mail addresses are links", () => {
  expect(linkTarget("https://example.org/a?b=c")).toBe("https://example.org/a?b=c");
  expect(linkTarget("mailto:a@example.org")).toBe("mailto:a@example.org");
  for (const href of [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " java\nscript:alert(1)",
    "data:text/html,<script>",
    "file:///etc/passwd",
    "blob:https://example.org/1",
    "#/runs",
    "/v1/runs",
    "//example.org",
  ])
    expect(linkTarget(href)).toBeUndefined();
});
