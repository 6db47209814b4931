// Process with small engines that execute a number of steps.
import { serveEngines } from "@switchyard/fresh-process/engine-process";
import { ENGINES } from "./step-engines.ts";

serveEngines(ENGINES);
