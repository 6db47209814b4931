import { proveEnvironment } from "./environment-row.ts";
import { loggingRow } from "./wrapped-row.ts";

proveEnvironment(loggingRow);
