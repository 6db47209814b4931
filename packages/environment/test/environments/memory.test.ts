import { proveEnvironment } from "./environment-row.ts";
import { memoryRow } from "./memory-row.ts";

proveEnvironment(memoryRow);
