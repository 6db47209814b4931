import type { HttpBindings } from "@hono/node-server";
import type { Masker } from "@switchyard/secrets";
import type { Context } from "hono";
import type { Caller } from "../guard/caller.ts";
import type { AboutRun } from "./request-line.ts";

/** Context of a request. */
export interface RequestFacts {
  Bindings: HttpBindings;
  Variables: {
    about: AboutRun;
    masker: Masker;
    caller: Caller;
    /** True if the request names a run, so that errors may contain the state of that run. */
    isCallers: boolean;
  };
}

/** Request context in the handlers of routes. */
export type RequestContext = Context<RequestFacts>;
