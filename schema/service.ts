import { SCOPES } from '../src/access/scopes.ts';
import { EVENT_TYPES } from '../src/events/catalogue.ts';
import { config } from '../src/kernel/config.ts';
import { ERROR_STATUS } from '../src/kernel/errors.ts';
import { signUpPolicy } from '../src/services/accounts/signUpPolicy.ts';
import type { Context } from './context.ts';

const typeDefs = /* GraphQL */ `
  "What this installation is, and the words that it uses."
  type Service {
    baseUrl: String!
    linkDomain: String!
    "Who may make an account: open, invitation or closed."
    signUp: String!
    scopes: [String!]!
    errorCodes: [ErrorCode!]!
    eventTypes: [EventType!]!
  }

  type ErrorCode {
    code: String!
    status: Int!
  }

  type EventType {
    type: String!
    about: String!
  }

  type Query {
    service: Service!
  }
`;

const resolvers = {
  Query: {
    service: (_: unknown, __: unknown, { isFromThisMachine }: Context) => ({
      baseUrl: config.baseUrl,
      linkDomain: config.linkDomain,
      signUp: signUpPolicy(isFromThisMachine),
      scopes: SCOPES,
      errorCodes: Object.entries(ERROR_STATUS).map(([code, status]) => ({ code, status })),
      eventTypes: Object.entries(EVENT_TYPES).map(([type, about]) => ({ type, about })),
    }),
  },
};

/** The part of the schema that is read off tables. */
export const SERVICE = { typeDefs, resolvers };
