/**
 * What the simulated fleet is like. None of these numbers was measured by us: those with a source are near published
 * figures, the others are guesses on the side that makes matching harder. Shares are from 0 to 1.
 */
export const ASSUMPTIONS = {
  /** Days that are simulated: the keys of visitors are ready for today and tomorrow. */
  days: 2,
  /** How long after a click its install may be matched: twice the default of projects, so that slow ones can be found and wrong ones too. */
  windowSeconds: 7200,

  // Who there is
  /** Households of 1 to 5 people, about as Eurostat counts them. */
  homeSizes: [0.37, 0.31, 0.15, 0.12, 0.05],
  /** Share of iPhones among phones. */
  ios: 0.55,
  /** Families buy alike: so many take the platform of the first of the household. */
  platformLikeFirst: 0.4,
  /** Phones of the same platform in a household: so many are the very model of the first one's, so many have its version. */
  modelLikeFirst: 0.15,
  versionLikeFirst: 0.3,
  /** A household that does not speak the country's language. */
  foreignHome: 0.15,
  /** Somebody whose devices speak another language than the household. */
  foreignPerson: 0.05,
  /** People with a desktop that follows links too. */
  desktop: 0.4,
  /** iPhone owners who follow some links on an iPad that says Macintosh, and install there. */
  macintoshPad: 0.06,

  // Behind which address
  /** Homes of the fleet in one /24 (IPv6: in one /48); 254 have room. Campaigns reach neighbours. */
  homesPerNetwork: 8,
  /** Homes with IPv6 beside IPv4. */
  homeDualStack: 0.5,
  /** Requests that come by IPv4 though there is IPv6: Happy Eyeballs lets the faster one win. */
  otherFamily: 0.04,
  /** Phones with WLAN switched off at home. */
  noHomeWlan: 0.07,
  /** People who leave home for work. */
  worker: 0.55,
  /** Of them those whose phone is in the WLAN of an office. */
  officeWlan: 0.6,
  /** Staff behind an office's one address, log-uniform. */
  officeStaff: [10, 400],
  /** Of the staff those who are in the fleet. */
  officeKnows: 0.3,
  /** People of the fleet for each address of a carrier's NAT, log-uniform; of the 200 to 5,000 phones behind it most know nothing of the product. */
  peoplePerCarrierAddress: [15, 500],
  /** Addresses of one gateway; a phone gets another one of them now and then. */
  gatewayAddresses: 4,
  /** Hours until it does, exponential. */
  carrierAddressHours: 3,
  /** Phones whose carrier gives them a /64 of their own. */
  mobileIpv6: 0.45,
  /** Their requests that go by IPv4 all the same, through the NAT. */
  mobileOtherFamily: 0.08,
  /** People for each public WLAN of cafés, trains, shops. */
  peoplePerVenue: 60,
  /** Outings with the phone in such a WLAN; else it is in the mobile network. */
  venueWlan: 0.35,
  /** People who always go through a VPN, and exits that they share. */
  vpn: 0.02,
  vpnExits: 6,
  /** iPhones on which Private Relay hides Safari, not apps. */
  privateRelay: 0.06,

  // In which browser
  /** iPhones: Safari, browsers inside apps, Chrome. */
  iosBrowsers: { safari: 0.67, inApp: 0.25, chrome: 0.08 },
  /** Android: Chrome and Samsung Internet tell no model (`Android 10; K`), Firefox the version, browsers inside apps both. */
  androidBrowsers: { chrome: 0.66, samsung: 0.08, firefox: 0.04, inApp: 0.22 },
  /** Browsers set to another language than the app sees. */
  otherBrowserLanguage: 0.02,
  /** Phones set to their owner's own zone while abroad. */
  otherZone: 0.01,

  // What they do
  /** Links of the project, and of the neighbour that the same people follow. */
  links: [8, 4],
  /** Exponent of Zipf: how much the first links are followed more than the last. */
  linkSkew: 0.8,
  /** Times that a person follows links of somebody in these days: not at all, once, twice, three times. */
  sessions: [0.5, 0.3, 0.14, 0.06],
  /** Of those sessions the neighbour's. */
  neighbour: 0.25,
  /** Sessions on the desktop of those who have one. */
  onDesktop: 0.25,
  /** Sessions in which several links are followed: installs that several touches led to are some 15 % in a week. */
  severalLinks: 0.08,
  /** Sessions in which one link is followed twice. */
  sameLinkAgain: 0.15,
  /** Sessions on a phone that end with an install. */
  installs: 0.35,
  /** Installs of people who followed no link; of all installs. */
  organic: 0.3,
  /** Sessions at home that go through the family's chat: who is there follows the same link within minutes, so often. */
  familyChat: 0.05,
  chatFollows: 0.7,
  /** Installs at home after which another one there follows another link within half an hour, and installs too. */
  secondInstaller: 0.04,
  /**
   * Sessions at home during whose next ninety minutes another one there installs without a link, whether or not the one who
   * followed it does: some 10 % of the installs in homes of several people.
   */
  organicBeside: 0.033,
  /** People who have the app already, and how often they open it in these days. They follow links and install nothing. */
  users: 0.2,
  opensOfUser: [1, 6],

  // How long it takes
  /**
   * From click to opening, with weights: seconds of a log-normal (median, sigma), or of a log-uniform from a minute to ninety.
   * Those in a hurry, those who look on first, and those who come back to it.
   */
  delays: [
    [{ logNormal: [140, 0.9] }, 0.45],
    [{ logUniform: [60, 5400] }, 0.4],
    [{ logNormal: [2700, 0.6] }, 0.15],
  ] as [Delay, number][],

  // What devices bring with them, in the part with tokens alone
  /** Android: the referrer of Google Play; it is missing where somebody looked for the app by hand. */
  referrerArrives: 0.95,
  /** iPhones whose owner lets the page copy the token, and the app read it. */
  clipboardAllowed: 0.5,
  /** Pages that get to tell the zone and the screen before they are left. */
  pageTells: 0.9,
};

/** Seconds from a click to an opening. */
export type Delay = { logNormal: [median: number, sigma: number] } | { logUniform: [from: number, to: number] };

export type Assumptions = typeof ASSUMPTIONS;
