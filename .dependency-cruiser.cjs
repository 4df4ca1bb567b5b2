/** The import rules of the house; each name says what it keeps. */
const packageHome = (name, pattern, homes) => ({
  name,
  severity: 'error',
  from: { path: '^(app|src|schema|facade|jobs|scripts)/', pathNot: homes },
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
      name: 'no-cycles-by-type',
      comment: 'A type that both sides need stands below them. Elsewhere a few are left.',
      severity: 'error',
      from: {
        path: '^(app|schema|facade|jobs|scripts|src)/',
        pathNot: '^src/(analytics|domains|events|imports|webhooks)/',
      },
      to: { circular: true },
    },
    {
      name: 'no-circles-of-folders',
      comment: 'Rooms import each other in one direction, types too.',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, pathNot: ['\\.d\\.ts$', '^jobs/pgliteWorker\\.ts$', '^(test|bench)/'] },
      to: {},
    },
    {
      name: 'src-knows-no-surface',
      comment: 'Only the composition root, app/, puts the rooms together.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(schema|facade|jobs|dashboard|cli|mcp)/' },
    },
    {
      name: 'machines-stand-apart',
      comment: 'The composition root hands them what they call; customers run the command line far from the server.',
      severity: 'error',
      from: { path: '^(mcp|cli)/' },
      to: { path: '^(app|src|schema|facade|jobs|scripts|dashboard|test)/' },
    },
    {
      name: 'nobody-imports-the-machines',
      severity: 'error',
      from: { path: '^(src|schema|facade|jobs|sdk)/' },
      to: { path: '^(mcp|cli)/' },
    },
    {
      name: 'nobody-imports-the-process',
      comment: 'What the composition root puts together does not know it. Scripts start it.',
      severity: 'error',
      from: { pathNot: '^(app|scripts|test|bench)/' },
      to: { path: '^app/' },
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
        path: '^src/(routing/|.*/decide[^/]*(\\.ts|/)|webhooks/worker/Slots\\.ts)',
      },
      to: {
        path: '^(src/(db|access|clicks|redirect)/|(node:)?(fs|net|http|dns|timers))',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'schema-enters-by-services',
      comment: 'A service takes a principal and authorizes; the rest of a subject is its own affair.',
      severity: 'error',
      from: { path: '^schema/' },
      to: {
        path: '^(facade|jobs|src)/',
        pathNot:
          '^src/([^/]+/[^/]+Service\\.ts|(access|kernel|models|routing)/|db/(paging|storeFailures)\\.ts|events/catalogue\\.ts)',
      },
    },
    {
      name: 'facade-goes-through-the-door',
      comment:
        'No models, services or resolvers: a row whose document lacks something asks for a new operation. Of the rooms of the subjects three tables alone.',
      severity: 'error',
      from: { path: '^facade/' },
      to: {
        path: '^(schema|jobs|src)/',
        pathNot:
          '^(schema/[^/]+\\.ts|src/(kernel|access)/|src/(events/catalogue|webhooks/samples|alerts/dailyLimitAlerts)\\.ts)',
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
      from: { path: '^sdk/([^/]+)/', pathNot: '^sdk/([^/]+/examples|code)/' },
      to: { pathNot: '^sdk/$1/(?!examples/)', dependencyTypesNot: ['core'] },
    },
    {
      name: 'links-as-code-is-pure',
      comment:
        'The command line and the server run it: it reads no file and asks nobody but through the client it is given.',
      severity: 'error',
      from: { path: '^sdk/code/' },
      to: { pathNot: '^sdk/(code|client)/|node_modules/yaml/' },
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
      comment:
        'They have their framework and the published package. Frameworks of test/interop/ cannot be resolved from here.',
      severity: 'error',
      from: { path: '^sdk/([^/]+)/examples/' },
      to: {
        path: '^(?!sdk/$1/(index\\.ts|examples/)|node_modules/)',
        pathNot: '^(express|fastify)$',
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'dashboard-stands-alone',
      comment: 'It talks to the server over HTTP only. What it shows of verifiers is a text.',
      severity: 'error',
      from: { path: '^dashboard/' },
      to: { path: '^(app|src|schema|facade|jobs|scripts|sdk|test)/', pathNot: '^sdk/verifiers\\.ts$' },
    },
    {
      name: 'nobody-imports-the-dashboard',
      severity: 'error',
      from: { path: '^(app|src|schema|facade|jobs|scripts|sdk)/' },
      to: { path: '^dashboard/' },
    },
    {
      name: 'features-of-the-dashboard-stand-apart',
      comment: 'A feature gives others what its public.ts exports.',
      severity: 'error',
      from: { path: '^dashboard/src/(?!routes|shell|session|ui|kernel|texts|generated)([^/]+)/' },
      to: {
        path: '^dashboard/src/[^/]+/',
        pathNot: '^dashboard/src/($1|session|ui|kernel|texts|generated)/|/public\\.tsx?$',
      },
    },
    {
      name: 'parts-of-the-dashboard-know-no-feature',
      severity: 'error',
      from: { path: '^dashboard/src/(session|ui|kernel|texts)/' },
      to: { path: '^dashboard/src/', pathNot: '^dashboard/src/(session|ui|kernel|texts|generated)/' },
    },
    packageHome('sequelize-at-home', 'sequelize', '^src/(db|models)/'),
    packageHome('sqlite-at-home', 'sqlite3', '^src/db/'),
    packageHome('pg-at-home', 'pg', '^src/db/'),
    packageHome('clickhouse-at-home', '@clickhouse', '^src/clicks/clickhouse/'),
    packageHome('pg-boss-at-home', '(pg-boss|@electric-sql)', '^jobs/'),
    packageHome('opentelemetry-at-home', '@opentelemetry', '^(src/kernel/tracing|app/startTracing)\\.ts'),
    packageHome('type-graphql-at-home', 'type-graphql', '^schema/'),
    packageHome(
      'koa-at-home',
      '(koa|@koa)',
      '^(facade/|schema/(server|browserSession|compressAnswer|liveClicks|graphiql)\\.ts)',
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
