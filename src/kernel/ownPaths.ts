/** The paths that this product answers itself on the base host; a short link there cannot begin with one of them. */
export const OWN_PATHS = {
  api: '/api/v1',
  sdk: '/v1/sdk',
  graphql: '/graphql',
  liveClicks: '/graphql/clicks',
  dashboard: '/app',
  reference: '/reference',
  mcp: '/mcp',
  llms: '/llms.txt',
  llmsFull: '/llms-full.txt',
  /** The page that leads to an app or its store; a name that hardly anybody wants for a link. */
  openApp: '/_open',
  /** The packages for receivers and apps. */
  downloads: '/downloads',
  healthz: '/healthz',
  readyz: '/readyz',
  metrics: '/metrics',
} as const;

/** Every host that leads here answers this with the mark of this installation: so it knows its own answers. */
export const INSTANCE_PATH = '/.well-known/svc-instance';

/** First segments of our own paths: `api`, `v1`, `graphql`, … */
export const RESERVED_SEGMENTS: ReadonlySet<string> = new Set(
  Object.values(OWN_PATHS).map((path) => path.split('/')[1] as string),
);
