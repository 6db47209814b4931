/** Root user of a container. */
export const ROOT_USER = "0:0";

/** Returns true if a user may have no entry in the image's user database, and therefore no home folder. */
export function needsHome(user: string | undefined): user is string {
  return user !== undefined && !/^(?:root|0)(?::|$)/.test(user);
}
