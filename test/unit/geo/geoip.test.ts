// stores: none
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { openGeoip } from '../../../src/geo/geoip.ts';
import { ConfigError, loadConfig } from '../../../src/kernel/config.ts';
import { mmdb } from '../../support/mmdb.ts';

const GEOLITE = {
  country: { iso_code: 'DE', names: { en: 'Germany' } },
  subdivisions: [{ iso_code: 'BY', names: { en: 'Bavaria', de: 'Bayern' } }],
  city: { names: { de: 'München', en: 'Munich' } },
};
const DB_IP = {
  country: { iso_code: 'AT' },
  subdivisions: [{ names: { en: 'Tyrol' } }],
  city: { names: { en: 'Innsbruck' } },
};
const FLAT = { country_code: 'fr', state1: 'Île-de-France', state2: '', city: 'Paris', postcode: '' };

/** Address → [country, region, city]; 8.8.8.8 is known to the database of countries alone. */
const PLACES: Record<string, [string | null, string | null, string | null]> = {
  '192.0.2.77': ['DE', 'DE-BY', 'Munich'],
  '2001:db8::1': ['DE', 'DE-BY', 'Munich'],
  '198.51.100.1': ['AT', 'Tyrol', 'Innsbruck'],
  '203.0.113.5': ['FR', 'Île-de-France', 'Paris'],
  '8.8.8.8': ['US', null, 'Somewhere'],
  '8.8.4.4': ['US', null, null],
  '127.0.0.1': [null, null, null],
  '': [null, null, null],
};

describe('the place of an address', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'svc-places-'));
  });
  after(async () => {
    await rm(folder, { recursive: true });
    loadConfig({ LOG_LEVEL: 'silent' });
  });

  const open = (settings: Record<string, string> = {}) => {
    loadConfig({ LOG_LEVEL: 'silent', ...settings });
    return openGeoip();
  };
  const cityFile = async (content: Buffer | string) => {
    const file = path.join(folder, 'city.mmdb');
    await writeFile(file, content);
    return file;
  };

  it('is a country alone without a database of cities', async () => {
    const placeOf = await open();
    expect(placeOf('8.8.8.8')).to.deep.equal({ country: 'US', region: null, city: null, isScanner: false });
    expect(placeOf('2001:4860:4860::8888').country).to.equal('US');
    expect(placeOf('10.0.0.1').country).to.equal(null);
  });

  it('is read from databases of cities of each kind, once and then from memory', async () => {
    const networks = {
      '192.0.2.0/24': GEOLITE,
      '2001:db8::/32': GEOLITE,
      '198.51.100.0/24': DB_IP,
      '203.0.113.0/24': FLAT,
      '8.8.8.8/32': { city: { names: { en: 'Somewhere' } } },
    };
    const placeOf = await open({ CITY_DATABASE: await cityFile(mmdb(networks)) });
    for (const [address, [country, region, city]] of Object.entries(PLACES)) {
      for (const _ of [1, 2])
        expect(placeOf(address), address).to.deep.equal({ country, region, city, isScanner: false });
    }
  });

  it('is a scanner’s in the networks of SCANNER_NETWORKS', async () => {
    const placeOf = await open({ SCANNER_NETWORKS: '192.0.2.0/24, 2001:db8::/32' });
    const scanners = ['192.0.2.1', '192.0.3.1', '2001:db8::5', '2001:db9::5', '::ffff:192.0.2.1', ''].filter(
      (address) => placeOf(address).isScanner,
    );
    expect(scanners).to.deep.equal(['192.0.2.1', '2001:db8::5', '::ffff:192.0.2.1']);
  });

  it('stops the start when the database of cities is not there or is none', async () => {
    const files = [path.join(folder, 'nowhere.mmdb'), await cityFile('no database'), folder];
    for (const file of files) {
      const error = await open({ CITY_DATABASE: file }).catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(ConfigError);
      expect((error as Error).message).to.match(/^CITY_DATABASE cannot be read: ./);
    }
  });
});
