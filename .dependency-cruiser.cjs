/** The import rules of the house; each name says what it keeps. */
const packageHome = (name, pattern, homes) => ({
  name,
  severity: 'error',
  from: { path: '^(src|schema|facade|jobs|scripts)/', pathNot: homes },
  to: { path: `node_modules/${pattern}/` },
});

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, pathNot: ['\\.d\\.ts$', '^jobs/pgliteWorker\\.ts$', '^(test|bench)/'] },
      to: {},
    },
    {
      name: 'src-knows-no-surface',
      comment: 'Only the composition root puts the rooms together.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/product\\.ts$' },
      to: { path: '^(schema|facade|jobs|dashboard|cli|mcp)/' },
    },
    {
      name: 'kernel-is-leaves',
      severity: 'error',
      from: { path: '^src/kernel/' },
      to: { path: '^(src|schema|facade|jobs)/', pathNot: '^src/kernel/' },
    },
    {
      name: 'pure-rooms',
      comment: 'No database, no I/O.',
      severity: 'error',
      from: {
        path: '^src/(routing/|webhooks/(select|signature|schedule|outcome|breaker|queue|lanes/Slots)\\.ts|anomalies/(watchHour|judgePeople|judgeRobots|expectAt|levelRatios|spreadOf|countScore|median|largestPart|thresholds)\\.ts|health/decideHealth\\.ts|domains/(judge|nextState)\\.ts)',
      },
      to: {
        path: '^(src/(db|models|services|access|clicks|redirect)/|(node:)?(fs|net|http|dns|timers))',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'schema-calls-services',
      comment: 'words.ts takes types alone: the fixed words of answers are those of the types that have them.',
      severity: 'error',
      from: { path: '^schema/', pathNot: '^schema/words\\.ts$' },
      to: {
        path: '^(facade|jobs|src)/',
        pathNot:
          '^src/(services|access|kernel|analytics|imports|live|events/catalogue|domains/verificationOf|routing/(slug|status)|models|db/isStoreDown)',
      },
    },
    {
      name: 'facade-goes-through-the-door',
      comment: 'No models, services or resolvers: a row whose document lacks something asks for a new operation.',
      severity: 'error',
      from: { path: '^facade/' },
      to: {
        path: '^(schema|jobs|src)/',
        pathNot:
          '^(schema/(execute|build|context|inputSchema|formats|wireInput|rules|validate|maskError|serviceChecks)\\.ts|src/(kernel|access)/|src/events/(catalogue|samples)\\.ts|src/analytics/filterTable\\.ts)',
      },
    },
    {
      name: 'jobs-know-src-alone',
      severity: 'error',
      from: { path: '^jobs/' },
      to: { path: '^(schema|facade)/' },
    },
    {
      name: 'sdk-stands-alone',
      comment: 'Others install it: nothing of the server, no packages, nothing but itself and what Node has built in.',
      severity: 'error',
      from: { path: '^sdk/([^/]+)/', pathNot: '^sdk/[^/]+/examples/' },
      to: { pathNot: '^sdk/$1/(?!examples/)', dependencyTypesNot: ['core'] },
    },
    {
      name: 'sdk-app-runs-anywhere',
      comment: 'React Native and browsers have nothing of Node.',
      severity: 'error',
      from: { path: '^sdk/app/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'sdk-examples-are-customers',
      comment: 'They have their framework and the published package.',
      severity: 'error',
      from: { path: '^sdk/([^/]+)/examples/' },
      to: { path: '^(?!sdk/$1/(index\\.ts|examples/)|node_modules/)', dependencyTypesNot: ['core'] },
    },
    packageHome('sequelize-at-home', 'sequelize', '^src/(db|models)/'),
    packageHome('sqlite-at-home', 'sqlite3', '^src/db/'),
    packageHome('pg-at-home', 'pg', '^src/db/'),
    packageHome('pg-boss-at-home', '(pg-boss|@electric-sql)', '^jobs/'),
    packageHome('type-graphql-at-home', 'type-graphql', '^schema/'),
    packageHome('koa-at-home', '(koa|@koa)', '^(facade/|schema/(server|sessionCookie|liveClicks)\\.ts)'),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
