import { graphql } from '../kernel/graphql.ts';
import { useAsk } from '../kernel/queries.ts';

const SERVICE = graphql(`
  query EntranceService {
    service {
      signUp
      sendsMail
    }
  }
`);

/** What people who are not signed in need to know of the installation; `service` is undefined until it is known. */
export function useService() {
  const { data, error, refetch } = useAsk({ about: 'account', document: SERVICE, variables: {} });
  return { service: data?.service, error, retry: refetch };
}
