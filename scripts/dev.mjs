import './buildGraphiql.mjs';

/** `npm run dev`: starts from the sources, anew after each change, with GraphiQL at /graphql. */
process.env.GRAPHIQL ??= 'true';
process.argv.splice(2, Number.POSITIVE_INFINITY, 'watch', 'src/main.ts');
await import('tsx/cli');
