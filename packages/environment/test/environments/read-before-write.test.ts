import { proveEnvironment } from "./environment-row.ts";
import { readBeforeWriteRow } from "./wrapped-row.ts";

proveEnvironment(readBeforeWriteRow);
