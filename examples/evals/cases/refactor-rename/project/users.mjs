const USERS = [{ id: 1, name: "Ada" }, { id: 2, name: "Bob" }];

export function getUsr(id) {
  return USERS.find((user) => user.id === id);
}
