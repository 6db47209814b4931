import { proveEnvironment } from "./environment-row.ts";
import { sandboxRow } from "./sandbox-row.ts";

proveEnvironment(sandboxRow);
