export function createAccounts(store) {
  let last = Promise.resolve();
  return {
    async balance(id) {
      return (await store.read(id)).balance;
    },
    deposit(id, amount) {
      last = last.then(async () => {
        const account = await store.read(id);
        await store.write(id, { ...account, balance: account.balance + amount });
      });
      return last;
    },
    async withdraw(id, amount) {
      const account = await store.read(id);
      if (account.balance < amount) throw new Error("The balance is too low.");
      await store.write(id, { ...account, balance: account.balance - amount });
    },
    rename(id, name) {
      last = last.then(() => store.update(id, { name }));
      return last;
    },
  };
}
