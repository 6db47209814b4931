import { proveEnvironment } from "./environment-row.ts";
import { localRow } from "./local-row.ts";

proveEnvironment(localRow);
