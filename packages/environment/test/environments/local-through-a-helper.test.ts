import { proveEnvironment } from "./environment-row.ts";
import { localWithHelperRow } from "./local-row.ts";

proveEnvironment(localWithHelperRow);
