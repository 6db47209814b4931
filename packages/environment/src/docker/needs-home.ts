/** User and group id of root in a container, in the format `UID:GID`. */
export const ROOT_USER = "0:0";

/** Returns true if a user may be missing from the image's user database, and therefore may have no home folder. */
export function needsHome(user: string | undefined): user is string {
  return user !== undefined && !/^(?:root|0)(?::|$)/.test(user);
}
