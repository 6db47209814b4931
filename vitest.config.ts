import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { projects: ["packages/*", "apps/*", "tooling/checks", "tooling/fresh-process"] },
});
