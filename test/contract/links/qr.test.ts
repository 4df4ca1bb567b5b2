// stores: any
import { expect } from 'chai';
import { expectError, expectInvalid } from '../../support/expectError.ts';
import { graphql } from '../../support/graphql.ts';
import { modulesIn, modulesOf, readPng, readSvg } from '../../support/qrImages.ts';
import { firstTenant, makeTenant, ownerSession, type Tenant } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

const DESTINATION = 'https://www.example.com/';
const WHITE = [255, 255, 255, 255];

describe('GET /links/{id}/qr', () => {
  const world = useWorld();
  let mine: Tenant;
  let link: { id: string; short_url: string };

  before(async () => {
    mine = await firstTenant(world);
    const body = { destination: DESTINATION, external_id: 'printed', slug: 'on/paper' };
    link = (await mine.api('POST', '/links', body)).body;
  });

  const ask = (query: Record<string, string>, id = link.id) =>
    mine.api('GET', `/links/${id}/qr?${new URLSearchParams(query)}`);

  const image = async (query: Record<string, string> = {}, id = link.id) => {
    const url = `${world.origin}/api/v1/links/${id}/qr?${new URLSearchParams(query)}`;
    const response = await fetch(url, { headers: { Authorization: `Bearer ${world.secretKey}` } });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.status, bytes.toString()).to.equal(200);
    return { type: response.headers.get('content-type'), bytes };
  };

  const png = async (query: Record<string, string>, id?: string) => {
    const { type, bytes } = await image({ format: 'png', ...query }, id);
    expect(type).to.equal('image/png');
    return readPng(bytes);
  };

  it('is an SVG of the short URL, 512 pixels wide, with the quiet zone of the standard', async () => {
    const { type, bytes } = await image();
    expect(type).to.match(/^image\/svg\+xml\b/);
    const svg = bytes.toString();
    expect(svg).to.match(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"( [a-zA-Z-]+="[^"<>&]*")+>/);
    expect(svg).to.match(/>(<path( [a-z-]+="[^"<>&]*")+\/>){2}<\/svg>\n?$/);
    expect(svg).to.include(' width="512" height="512" ');
    const modules = modulesOf(link.short_url, 'M');
    const { bits, units } = readSvg(svg);
    expect(units).to.equal(modules.length + 8);
    expect(modulesIn(bits, modules.length)).to.deep.equal({ bits: modules, margin: 4 });
  });

  for (const size of [64, 333, 512, 2048]) {
    it(`is a PNG of exactly ${size} × ${size} pixels`, async () => {
      const { pixels, dark, light } = await png({ size: String(size) });
      expect(pixels).to.have.lengthOf(size);
      for (const row of pixels) expect(row.length).to.equal(size);
      const modules = modulesOf(link.short_url, 'M');
      const found = modulesIn(pixels, modules.length);
      expect(found.bits).to.deep.equal(modules);
      expect(found.margin).to.be.at.least(4 * Math.floor(size / (modules.length + 8)));
      expect([dark, light]).to.deep.equal([[0, 0, 0, 255], WHITE]);
    });
  }

  it('takes each level of error correction', async () => {
    for (const level of ['L', 'M', 'Q', 'H'] as const) {
      const modules = modulesOf(link.short_url, level);
      expect(modulesIn((await png({ level })).pixels, modules.length).bits).to.deep.equal(modules);
      const { bits } = readSvg((await image({ level })).bytes.toString());
      expect(modulesIn(bits, modules.length).bits).to.deep.equal(modules);
    }
  });

  it('takes a margin in modules', async () => {
    const { length } = modulesOf(link.short_url, 'M');
    for (const margin of [0, 20]) {
      const { units } = readSvg((await image({ margin: String(margin) })).bytes.toString());
      expect(units).to.equal(length + 2 * margin);
      const size = 4 * (length + 2 * margin);
      const { pixels } = await png({ margin: String(margin), size: String(size) });
      expect(modulesIn(pixels, length).margin).to.equal(4 * margin);
    }
  });

  it('takes colours with and without #, of 3, 6 or 8 digits', async () => {
    const table: [string, string, number[], number[]][] = [
      ['#123', '#fed', [17, 34, 51, 255], [255, 238, 221, 255]],
      ['0A0B0C', 'FFFF00', [10, 11, 12, 255], [255, 255, 0, 255]],
      ['#000000ff', 'ffffff00', [0, 0, 0, 255], [255, 255, 255, 0]],
    ];
    for (const [foreground, background, dark, light] of table) {
      expect(await png({ foreground, background })).to.deep.include({ dark, light });
    }
    const svg = (await image({ foreground: '#123', background: 'FFFF00' })).bytes.toString();
    expect(svg).to.include('stroke="#112233"').and.include('fill="#ffff00"');
    const clear = (await image({ foreground: '000000fe', background: 'ffffff00' })).bytes.toString();
    expect(clear).to.not.include('fill=').and.not.include('opacity=".00"');
  });

  it('422 for colours that scanners cannot tell apart, or that are the wrong way round', async () => {
    const table: Record<string, string>[] = [
      { foreground: '#fff' },
      { foreground: '#ccc' },
      { background: '#000' },
      { background: '#444444' },
      { foreground: '#fff', background: '#000' },
      { foreground: '#00000020' },
      { foreground: '#ff0', background: '#fff' },
    ];
    for (const query of table) {
      const reply = await ask(query);
      expectInvalid(reply, 'foreground');
    }
    for (const foreground of ['#c00', '#777']) await image({ foreground });
    await image({ background: '#bbb' });
  });

  it('422 for a PNG whose modules would be smaller than a pixel, also beside bad colours', async () => {
    const long = (await mine.api('POST', '/links', { destination: DESTINATION, slug: 'x'.repeat(190) })).body;
    const fine = { margin: '20', level: 'H' };
    const { length } = modulesOf(long.short_url, 'H');
    expectInvalid(await ask({ ...fine, format: 'png', size: '64' }, long.id), 'size');
    expectInvalid(await ask({ ...fine, format: 'png', size: '64', foreground: 'fff' }, long.id), 'size', 'foreground');
    await png({ ...fine, size: String(length + 40) }, long.id);
    await image({ ...fine, size: '64' }, long.id);
  });

  it('422 that lists every bad parameter', async () => {
    const bad = {
      format: 'gif',
      size: '63',
      margin: '-1',
      level: 'm',
      foreground: '#12',
      background: 'red',
      scale: '4',
    };
    expectInvalid(await ask(bad), ...Object.keys(bad));
    expectInvalid(await ask({ size: '2049', margin: '21', level: '' }), 'size', 'margin', 'level');
    expectInvalid(await ask({ size: '100.5', foreground: '#1234' }), 'size', 'foreground');
  });

  it('finds the link by external id, and none of others', async () => {
    const { bytes } = await image({}, 'ext_printed');
    expect(bytes.equals((await image()).bytes)).to.equal(true);
    const { api } = await makeTenant(world, mine.teamId);
    expectError(await api('GET', `/links/${link.id}/qr`), 404, 'not_found');
  });

  it('is given by GraphQL in base64', async () => {
    const query = `query ($id: ID!) { linkQr(id: $id, format: png, size: 128) { mediaType base64 } }`;
    const { data } = await graphql(world.origin, query, { id: link.id }, await ownerSession(world));
    expect(data.linkQr.mediaType).to.equal('image/png');
    expect(
      Buffer.from(data.linkQr.base64, 'base64').equals((await image({ format: 'png', size: '128' })).bytes),
    ).to.equal(true);
  });
});
