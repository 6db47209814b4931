import { proveEnvironment } from "./environment-row.ts";
import { localWithoutRipgrepRow } from "./local-row.ts";

proveEnvironment(localWithoutRipgrepRow);
