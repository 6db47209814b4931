import * as users from "./users.mjs";

/** Calls a function by its name in a request. */
export function call(action, id) {
  const names = { find: "findUser" };
  return users[names[action]](id);
}
