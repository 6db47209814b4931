import type { HttpBindings } from "@hono/node-server";
import type { Masker } from "@switchyard/secrets";
import type { Context } from "hono";
import type { Caller } from "../guard/caller.ts";
import type { AboutRun } from "./request-line.ts";

/** What is known of a request beside itself. */
export interface RequestFacts {
  Bindings: HttpBindings;
  Variables: {
    about: AboutRun;
    masker: Masker;
    caller: Caller;
    /** Whether errors are about a run that the caller named. */
    isCallers: boolean;
  };
}

/** A request on its way through the routes. */
export type RequestContext = Context<RequestFacts>;
