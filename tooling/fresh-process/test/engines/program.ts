// The process of small engines, each of which takes a number of steps.
import { serveEngines } from "@switchyard/fresh-process/engine-process";
import { ENGINES } from "./step-engines.ts";

serveEngines(ENGINES);
