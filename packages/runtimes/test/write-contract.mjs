// @ts-check
// Writes the published contract of agent tasks.
import { writeFileSync } from "node:fs";
import { renderTaskContract } from "@switchyard/runtimes";

writeFileSync(new URL("../contract/agent-task-core-contract.json", import.meta.url), renderTaskContract());
