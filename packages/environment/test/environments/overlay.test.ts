import { proveEnvironment } from "./environment-row.ts";
import { overlayRow } from "./wrapped-row.ts";

proveEnvironment(overlayRow);
