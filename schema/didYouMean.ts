import { suggestionList } from 'graphql/jsutils/suggestionList.js';
import { snakeCase } from '../src/kernel/wire.ts';

/**
 * Names that other APIs use for our fields and parameters, in lower case without punctuation. The first of our names that
 * exists is suggested. Mere spelling variants (`expiresAt`, `group-by`, `expire_at`) need no row.
 */
const PEERS: Record<string, string> = {
  url: 'destination url',
  uri: 'destination url',
  target: 'destination url',
  targeturl: 'destination url',
  longurl: 'destination',
  originalurl: 'destination',
  redirecturl: 'destination',
  destinationurl: 'destination',
  link: 'destination short_url link_id',
  endpoint: 'url',
  callbackurl: 'url',
  key: 'slug',
  path: 'slug',
  alias: 'slug',
  backhalf: 'slug',
  shortcode: 'slug',
  slashtag: 'slug',
  keyword: 'slug',
  shorturl: 'slug domain',
  host: 'domain hostname',
  domain: 'hostname',
  domainid: 'domain',
  name: 'title',
  comments: 'notes',
  description: 'notes',
  metadata: 'data properties',
  payload: 'data',
  customdata: 'data',
  params: 'properties query',
  tagids: 'tags tag_id',
  tagnames: 'tags',
  tag: 'tags',
  tags: 'tag',
  status: 'archived',
  active: 'archived',
  enabled: 'archived',
  expiration: 'expires_at',
  expirationdate: 'expires_at',
  expires: 'expires_at',
  validuntil: 'expires_at',
  validsince: 'starts_at',
  expiredurl: 'expired_destination',
  maxvisits: 'click_limit',
  maxclicks: 'click_limit',
  ios: 'routing',
  android: 'routing',
  geo: 'routing country',
  rules: 'routing',
  rewrite: 'routing',
  deeplinkpath: 'routing',
  image: 'preview image_url',
  proxy: 'preview',
  utmsource: 'utm source',
  utmmedium: 'utm medium',
  utmcampaign: 'utm campaign',
  utmterm: 'utm term',
  utmcontent: 'utm content',
  events: 'event_types type event',
  eventname: 'event_type type name',
  enabledevents: 'event_types',
  triggers: 'event_types',
  permissions: 'scopes',
  role: 'scopes',
  type: 'kind event_type event',
  page: 'cursor',
  offset: 'cursor',
  after: 'cursor',
  startingafter: 'cursor',
  nextcursor: 'cursor',
  pagetoken: 'cursor',
  perpage: 'limit',
  pagesize: 'limit',
  size: 'limit',
  count: 'limit',
  q: 'search',
  query: 'search',
  sortby: 'sort',
  orderby: 'sort',
  direction: 'order',
  sortorder: 'order',
  from: 'start created_after since',
  since: 'created_after start',
  startdate: 'start created_after',
  to: 'end created_before until',
  until: 'created_before end',
  enddate: 'end created_before',
  unit: 'granularity interval',
  period: 'interval',
  tz: 'timezone',
  userid: 'install_id',
  deviceid: 'install_id',
  os: 'platform',
};

/** Shorter names are similar to too many others. */
const MIN_LENGTH_TO_COMPARE = 4;
/** If there are fewer names than this, all of them are listed. */
const FEW = 8;

/** A sentence that suggests a known name for an unknown one; empty if none is similar. */
export function didYouMean(name: string, known: readonly string[]): string {
  const near = nearestOf(name, known);
  if (near !== undefined) return ` Did you mean ${near}?`;
  if (known.length === 0 || known.length >= FEW) return '';
  return ` Known: ${known.join(', ')}.`;
}

function nearestOf(name: string, known: readonly string[]): string | undefined {
  const wanted = plain(name);
  const alike = known.find((other) => plain(other) === wanted);
  if (alike) return alike;
  // A name of another API is not a misspelling of one of ours.
  if (Object.hasOwn(PEERS, wanted)) return PEERS[wanted]?.split(' ').find((other) => known.includes(other));
  if (wanted.length < MIN_LENGTH_TO_COMPARE) return undefined;
  return suggestionList(snakeCase(name).slice(0, 100), known)[0];
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
