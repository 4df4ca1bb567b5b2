/** What clicks of a busy service look like, from the commonest value to the rarest. */

/** Country, region and the cities in it: 200 cities. */
const PLACES = `
US California: Los Angeles, San Diego, San Jose, San Francisco, Sacramento
US Texas: Houston, San Antonio, Dallas, Austin, Fort Worth
US New York: New York, Buffalo, Rochester, Albany
US Florida: Jacksonville, Miami, Tampa, Orlando
US Illinois: Chicago, Aurora, Naperville
US Washington: Seattle, Spokane, Tacoma
DE Bavaria: Munich, Nuremberg, Augsburg, Regensburg
DE Land Berlin: Berlin
DE Hamburg: Hamburg
DE North Rhine-Westphalia: Cologne, Düsseldorf, Dortmund, Essen, Bonn
DE Hesse: Frankfurt am Main, Wiesbaden, Kassel
DE Saxony: Leipzig, Dresden, Chemnitz
GB England: London, Birmingham, Manchester, Leeds, Liverpool, Bristol, Newcastle upon Tyne
GB Scotland: Glasgow, Edinburgh, Aberdeen
GB Wales: Cardiff, Swansea
FR Île-de-France: Paris, Versailles, Boulogne-Billancourt
FR Provence-Alpes-Côte d'Azur: Marseille, Nice, Toulon
FR Auvergne-Rhône-Alpes: Lyon, Grenoble, Saint-Étienne
IN Maharashtra: Mumbai, Pune, Nagpur, Nashik
IN Karnataka: Bengaluru, Mysuru, Mangaluru
IN Tamil Nadu: Chennai, Coimbatore, Madurai
IN Delhi: Delhi, New Delhi
BR São Paulo: São Paulo, Campinas, Santos, Guarulhos
BR Rio de Janeiro: Rio de Janeiro, Niterói
BR Minas Gerais: Belo Horizonte, Uberlândia
JP Tokyo: Tokyo, Hachioji
JP Osaka: Osaka, Sakai
JP Kanagawa: Yokohama, Kawasaki
JP Aichi: Nagoya, Toyota
CA Ontario: Toronto, Ottawa, Mississauga, Hamilton
CA Quebec: Montreal, Québec, Laval
CA British Columbia: Vancouver, Surrey, Victoria
ES Madrid: Madrid, Móstoles
ES Catalonia: Barcelona, Badalona, Girona
ES Andalusia: Seville, Málaga, Granada
IT Lazio: Rome, Latina
IT Lombardy: Milan, Brescia, Bergamo
IT Campania: Naples, Salerno
MX Mexico City: Mexico City
MX Jalisco: Guadalajara, Zapopan
MX Nuevo León: Monterrey, Apodaca
AU New South Wales: Sydney, Newcastle, Wollongong
AU Victoria: Melbourne, Geelong
AU Queensland: Brisbane, Cairns
NL North Holland: Amsterdam, Haarlem
NL South Holland: Rotterdam, The Hague, Leiden
PL Mazovia: Warsaw, Radom
PL Lesser Poland: Kraków, Tarnów
TR Istanbul: Istanbul
TR Ankara: Ankara
TR İzmir: İzmir
KR Seoul: Seoul
KR Gyeonggi-do: Suwon, Seongnam, Goyang
ID Jakarta: Jakarta
ID West Java: Bandung, Bekasi, Bogor
AT Vienna: Vienna
AT Styria: Graz
AT Tyrol: Innsbruck
AT Salzburg: Salzburg
CH Zurich: Zurich, Winterthur
CH Geneva: Geneva
CH Vaud: Lausanne
CH Bern: Bern
SE Stockholm: Stockholm, Solna
SE Västra Götaland: Gothenburg, Borås
BE Flanders: Antwerp, Ghent, Bruges
BE Wallonia: Liège, Namur
PT Lisbon: Lisbon, Sintra
PT Porto: Porto, Vila Nova de Gaia
AR Buenos Aires: Buenos Aires, La Plata
AR Córdoba: Córdoba
CO Bogotá: Bogotá
CO Antioquia: Medellín, Bello
ZA Gauteng: Johannesburg, Pretoria, Soweto
ZA Western Cape: Cape Town, Stellenbosch
NG Lagos: Lagos, Ikeja
NG Kano State: Kano
PH Metro Manila: Manila, Quezon City, Makati
PH Central Visayas: Cebu City
VN Hanoi: Hanoi
VN Ho Chi Minh: Ho Chi Minh City, Thủ Đức
CZ Prague: Prague
CZ South Moravian: Brno
DK Capital Region: Copenhagen, Frederiksberg
NO Oslo: Oslo
NO Vestland: Bergen
FI Uusimaa: Helsinki, Espoo
IE Leinster: Dublin, Dún Laoghaire`;

/** Countries of which no city is known. */
const OTHERS = 'CN RU TH MY SG EG SA AE IL GR HU RO UA CL PE KE MA PK BD NZ HK TW BG HR SK SI';

export interface City {
  region: string;
  city: string;
}

/** 60 of them. */
export const COUNTRIES: { code: string; cities: City[] }[] = countries();

function countries() {
  const found = new Map<string, City[]>();
  for (const line of PLACES.trim().split('\n')) {
    const [region = '', cities = ''] = line.slice(3).split(': ');
    const code = line.slice(0, 2);
    found.set(code, [...(found.get(code) ?? []), ...cities.split(', ').map((city) => ({ region, city }))]);
  }
  for (const code of OTHERS.split(' ')) found.set(code, []);
  return [...found].map(([code, cities]) => ({ code, cities }));
}

export const LANGUAGES = (
  'en-us en de-de de en-gb fr-fr fr ja-jp pt-br es-es es-mx es it-it nl-nl pl-pl tr-tr ko-kr zh-cn ' +
  'de-at de-ch fr-ca en-ca en-au sv-se da-dk nb-no fi-fi cs-cz ru-ru id-id'
).split(' ');

export const AGENTS: { platform: string; device: string; browsers: string[]; share: number }[] = [
  {
    platform: 'ios',
    device: 'mobile',
    browsers: ['Mobile Safari', 'Mobile Chrome', 'Instagram', 'Facebook'],
    share: 26,
  },
  {
    platform: 'android',
    device: 'mobile',
    browsers: ['Mobile Chrome', 'Samsung Internet', 'Chrome WebView', 'Facebook', 'Mobile Firefox'],
    share: 32,
  },
  { platform: 'windows', device: 'desktop', browsers: ['Chrome', 'Edge', 'Firefox', 'Opera'], share: 20 },
  { platform: 'macos', device: 'desktop', browsers: ['Safari', 'Chrome', 'Firefox'], share: 11 },
  { platform: 'ios', device: 'tablet', browsers: ['Mobile Safari', 'Mobile Chrome'], share: 4 },
  { platform: 'android', device: 'tablet', browsers: ['Chrome', 'Samsung Internet'], share: 2 },
  { platform: 'linux', device: 'desktop', browsers: ['Firefox', 'Chrome'], share: 3 },
  { platform: 'other', device: 'desktop', browsers: ['Opera'], share: 2 },
];

export const TRAFFIC = [
  { trafficClass: 'human', trafficReason: null, share: 80 },
  { trafficClass: 'bot', trafficReason: 'agent', share: 12 },
  { trafficClass: 'scanner', trafficReason: 'scanner agent', share: 5 },
  { trafficClass: 'prefetch', trafficReason: 'sec-purpose', share: 3 },
] as const;

const KNOWN_REFERRERS =
  'www.google.com t.co l.instagram.com www.facebook.com l.facebook.com www.linkedin.com www.reddit.com www.youtube.com ' +
  'www.bing.com duckduckgo.com news.ycombinator.com mail.google.com www.pinterest.com www.tiktok.com web.whatsapp.com';
const SITE_WORDS = 'news shop blog forum daily wiki mag review radio travel food sport tech home garden music'.split(
  ' ',
);

/** 400 of them. */
export const REFERRERS = [
  ...KNOWN_REFERRERS.split(' '),
  ...Array.from(
    { length: 385 },
    (_, at) => `${SITE_WORDS[at % SITE_WORDS.length]}-${Math.floor(at / 16) + 1}.example.net`,
  ),
];
