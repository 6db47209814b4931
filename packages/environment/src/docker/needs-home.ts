/** Root of a container. */
export const ROOT_USER = "0:0";

/** True if a user may lack an entry in the image's list of users, and with it a home folder. */
export function needsHome(user: string | undefined): user is string {
  return user !== undefined && !/^(?:root|0)(?::|$)/.test(user);
}
