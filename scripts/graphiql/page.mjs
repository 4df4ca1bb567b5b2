import { createGraphiQLFetcher } from '@graphiql/toolkit';
import { GraphiQL } from 'graphiql';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import 'graphiql/style.css';

/** Runs in the browser: GraphiQL on the page that schema/graphiql.ts serves. Requests carry the session cookie. */
const fetcher = createGraphiQLFetcher({ url: '/graphql' });
createRoot(document.getElementById('graphiql')).render(createElement(GraphiQL, { fetcher }));
