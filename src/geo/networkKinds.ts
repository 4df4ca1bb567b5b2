type Fields = Record<string, unknown>;

const YES = ['true'];

/** Signs of each kind, the most reliable first: any of the fields with one of the values. Case does not matter. */
const SIGNS: [kind: NetworkKind, values: string[], fields: string[]][] = [
  // GeoIP2 Anonymous-IP and Anonymous-Plus, IPinfo privacy (its newer databases write `is_`).
  ['relay', YES, ['is_anonymous_vpn', 'is_public_proxy', 'is_residential_proxy', 'is_tor_exit_node']],
  ['relay', YES, ['relay', 'vpn', 'proxy', 'tor', 'is_relay', 'is_vpn', 'is_proxy', 'is_tor']],
  ['hosting', YES, ['is_hosting_provider', 'hosting', 'is_hosting']],
  // GeoIP2 Enterprise.
  ['relay', ['consumer_privacy_network'], ['user_type']],
  ['hosting', ['hosting', 'content_delivery_network'], ['user_type']],
  ['carrier', ['cellular'], ['user_type']],
  // GeoIP2 Connection-Type and Enterprise.
  ['carrier', ['cellular'], ['connection_type']],
  // IPinfo ASN and company.
  ['hosting', ['hosting'], ['type', 'as_type']],
  ['carrier', YES, ['is_mobile']],
];

/** GeoLite2 and GeoIP2 ASN, ISP and Enterprise, DB-IP; IPinfo and IPLocate: 64500 or `AS64500`. */
const NUMBERS = ['autonomous_system_number', 'asn'];

/**
 * The kind of network that a database record (mmdb) describes; null if it says nothing that is known here. MaxMind's
 * Enterprise database has these fields in `traits`.
 */
export function kindOfRecord(record: unknown): NetworkKind | null {
  if (!isFields(record)) return null;
  const fields = isFields(record.traits) ? { ...record, ...record.traits } : record;
  const sign = SIGNS.find(([, values, names]) => names.some((name) => values.includes(textOf(fields[name]))));
  return sign?.[0] ?? kindByNumber(fields);
}

function kindByNumber(fields: Fields): NetworkKind | null {
  for (const name of NUMBERS) {
    const [, digits] = /^(?:as)?(\d+)$/.exec(textOf(fields[name])) ?? [];
    if (digits !== undefined) return kindOfSystem(Number(digits));
  }
  return null;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function textOf(value: unknown): string {
  return String(value ?? '').toLowerCase();
}

export type NetworkKind = 'carrier' | 'relay' | 'hosting' | 'listed';

/**
 * Autonomous systems in which an address does not stand for a person or a household: clouds and data centres; relays,
 * company proxies and CDNs that fetch for others; carriers whose customers are all behind NAT. Systems that also have
 * ordinary lines are missing, because their number says nothing about an address.
 */
const AUTONOMOUS_SYSTEMS: Record<Exclude<NetworkKind, 'listed'>, Record<string, number[]>> = {
  hosting: {
    'Alibaba Cloud': [37963, 45102, 134963],
    'Amazon Web Services': [8987, 14618, 16509],
    'Baidu Cloud': [55967],
    'Cherry Servers': [16125],
    Contabo: [40021, 51167, 141995],
    'Datacamp (CDN77)': [60068, 212238],
    DigitalOcean: [14061],
    Exoscale: [61098],
    'FranTech (BuyVM)': [53667],
    'G-Core': [199524, 202422],
    GoDaddy: [26496],
    Google: [15169, 396982],
    Hetzner: [24940, 212317, 213230],
    Hivelocity: [29802],
    Hostinger: [47583],
    'HostPapa (ColoCrossing)': [36352],
    'Huawei Cloud': [55990, 136907],
    'IBM Cloud (SoftLayer)': [36351],
    IONOS: [8560],
    Kamatera: [36007],
    Leaseweb: [7203, 19148, 28753, 30633, 59253, 60781, 133752, 205544, 395954],
    'Linode (Akamai)': [63949],
    'Liquid Web': [32244],
    M247: [9009],
    Microsoft: [8075],
    'Naver Cloud': [23576],
    netcup: [197540],
    NForce: [43350],
    'Oracle Cloud': [31898],
    OVH: [16276],
    'PacketHub (NordVPN)': [136787],
    Psychz: [40676],
    QuadraNet: [8100],
    Rackspace: [15395, 19994, 27357, 33070],
    Sakura: [7684, 9370, 9371],
    Scaleway: [12876],
    'Secured Servers': [20454],
    Selectel: [49505],
    Strato: [6724],
    'Tencent Cloud': [45090, 132203, 133478],
    Timeweb: [9123],
    'Unified Layer (Bluehost)': [46606],
    UpCloud: [202053],
    'velia.net': [29066],
    Vultr: [20473],
    WorldStream: [49981],
    'Yandex Cloud': [200350],
    '31173 Services (Mullvad)': [39351],
  },
  relay: {
    'Akamai (iCloud Private Relay)': [36183],
    'Cloudflare (WARP, iCloud Private Relay)': [13335, 209242],
    'Fastly (iCloud Private Relay)': [54113],
    'Opera (Mini, VPN)': [21837, 39832],
    Zscaler: [22616, 53813, 62044],
  },
  carrier: {
    'AT&T Mobility': [20057],
    'Chunghwa Telecom Mobile': [17421],
    'Free Mobile, France': [51207],
    'Jazz, Pakistan': [45669],
    'MCI, Iran': [197207],
    'Reliance Jio': [55836],
    'Singtel Mobile': [45143],
    'T-Mobile USA': [21928],
    'T2 (Tele2), Russia': [12958, 15378],
    'Telkomsel, Indonesia': [23693],
    'Three, Denmark and Sweden': [44034],
    'Three, United Kingdom': [60339, 206067],
    'Verizon Wireless': [6167, 22394],
  },
};

const KINDS = new Map(
  Object.entries(AUTONOMOUS_SYSTEMS).flatMap(([kind, systems]) =>
    Object.values(systems).flatMap((numbers) => numbers.map((number) => [number, kind as NetworkKind] as const)),
  ),
);

/** The kind of an autonomous system; null if it is an ordinary or an unknown one. */
function kindOfSystem(number: number): NetworkKind | null {
  return KINDS.get(number) ?? null;
}
