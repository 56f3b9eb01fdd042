import type { AccountStatus, StatusSource } from '../ports.ts';

/** The same source for one response: the statuses of its accounts are made once. */
export function atOneMoment(status: StatusSource): StatusSource {
  let accounts: readonly AccountStatus[] | undefined;
  return {
    accounts: () => {
      accounts ??= status.accounts();
      return accounts;
    },
    replicas: () => status.replicas?.(),
    largePage: () => status.largePage?.(),
    ...(status.served !== undefined && { served: status.served.bind(status) }),
  };
}
