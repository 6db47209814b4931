// @ts-check
// Our part of a request, in a process of its own. Prints the figures as JSON.
import { measureRequests } from "./measure-requests.mjs";

console.log(JSON.stringify(await measureRequests()));
