import type { NetworkKind } from '../networks.ts';

/**
 * Autonomous systems in which no address stands for a person or a household: clouds and data centres; relays, proxies for
 * companies and delivery networks whose machines fetch for others; carriers that serve phones, or phones and homes, behind
 * NAT alone. Those that also have ordinary lines are not here: nothing can be said of an address by their number.
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

/** What is behind the addresses of an autonomous system; null: anybody, or it is not known. */
export function kindOfSystem(number: number): NetworkKind | null {
  return KINDS.get(number) ?? null;
}
