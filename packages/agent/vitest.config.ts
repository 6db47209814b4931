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
      { extends: true, test: { name: "agent" } },
      alwaysResumeProject({
        program: fileURLToPath(new URL("./test/always-resume/agent-process.ts", import.meta.url)),
        include: ["src/engine/*.test.ts", "test/contract.test.ts"],
        // Refused before the first step, by the process that resumes.
        exclude: ["src/engine/refused-checkpoints.test.ts"],
        except: EXCEPTIONS,
      }),
    ],
  },
});
