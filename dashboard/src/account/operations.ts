import { graphql, type ResultOf } from '../kernel/graphql.ts';

export const ACCOUNT = graphql(`
  query Account {
    me {
      id
      email
      pendingEmail
      secondFactor
      recoveryCodesLeft
    }
    service {
      sendsMail
    }
  }
`);

export type Account = NonNullable<ResultOf<typeof ACCOUNT>['me']>;
