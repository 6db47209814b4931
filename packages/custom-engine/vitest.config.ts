import { fileURLToPath } from "node:url";
import { alwaysResumeProject } from "@switchyard/fresh-process/vitest-project";
import { settings } from "@switchyard/suite/vitest-settings";
import { defineConfig } from "vitest/config";
import { EXCEPTIONS } from "./test/always-resume/exceptions.ts";

export default defineConfig({
  ...settings,
  test: {
    ...settings.test,
    projects: [
      { extends: true, test: { name: "custom-engine" } },
      alwaysResumeProject({
        program: fileURLToPath(new URL("./test/always-resume/engine-process.ts", import.meta.url)),
        include: ["src/engine/*.test.ts"],
        // What a call gets and returns, for which the process that makes the call needs nothing from an earlier one.
        exclude: ["src/engine/single-call.test.ts"],
        except: EXCEPTIONS,
      }),
    ],
  },
});
