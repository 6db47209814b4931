import type { HttpBindings } from "@hono/node-server";
import type { Masker } from "@switchyard/secrets";
import type { Context } from "hono";
import type { ActionId } from "../api/access-table.ts";
import type { Caller } from "../guard/caller.ts";
import type { AboutRun } from "./request-line.ts";

/** Context of a request. */
export interface RequestFacts {
  Bindings: HttpBindings;
  Variables: {
    about: AboutRun;
    masker: Masker;
    caller: Caller;
    /** Arrival time of the request, in milliseconds since 1970. */
    startedMs: number;
    /** True if the request must be written to the audit log. */
    needsAudit: boolean;
    /** True if the request has been written to the audit log. */
    isAudited: boolean;
    /**
     * Action of the request. Set only if the roles of the request depend on more than its route. For example, a request
     * to the route `answerRun` is either the action `answerQuestion` or `answerApproval`.
     */
    action: ActionId;
    /** Answer in the request's body to a question of a run. Only set by requests that answer a question. */
    answer: { readonly promptId: string; readonly text: string };
    /** Owner of the run that the URL names, if the caller may access it. */
    runOwner: string | undefined;
    /** True if the request names a run, so that errors may contain the state of that run. */
    isCallers: boolean;
  };
}

/** Request context in the handlers of routes. */
export type RequestContext = Context<RequestFacts>;
