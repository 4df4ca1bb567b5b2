// stores: none
import { expect } from 'chai';
import { readCsv } from '../../../src/imports/csv.ts';
import { inspectCsv } from '../../../src/imports/inspectCsv.ts';
import { type ColumnPlan, planColumns } from '../../../src/imports/planColumns.ts';
import { linksIn, readRow } from '../../../src/imports/readRow.ts';
import type { ImportFormat } from '../../../src/models/Import.ts';

/** The first row of a file as a link on the wire. */
async function firstLink(format: ImportFormat, csv: string) {
  const facts = await inspectCsv([Buffer.from(csv)], 100);
  if (typeof facts === 'string') throw new Error(facts);
  const plan = planColumns(facts.header, format) as ColumnPlan;
  for await (const { cells } of readCsv(pieces(csv), facts.delimiter)) {
    return { ...readRow(plan, cells), unknown: plan.unknown };
  }
  throw new Error('There is no row');
}

async function* pieces(csv: string): AsyncGenerator<Buffer> {
  yield Buffer.from(csv);
}

const SAMPLES: [ImportFormat, string, object][] = [
  [
    'bitly',
    'Link,Long URL,Title,Created,Tags,Archived\nhttps://bit.ly/3AbCdEf,https://example.com/a,Spring,2024-01-01,"red, blue",false\n',
    { slug: '3AbCdEf', destination: 'https://example.com/a', title: 'Spring', tags: ['red', 'blue'], archived: false },
  ],
  [
    'bitly',
    'id,long_url,custom_bitlinks\nbit.ly/3AbCdEf,https://example.com/a,"[""https://go.acme.com/spring""]"\n',
    { domain: 'go.acme.com', slug: 'spring', destination: 'https://example.com/a' },
  ],
  [
    'dub',
    'Short link,Destination URL,Clicks,Created at,Tags,Archived,External ID,Expires at,iOS\n' +
      'https://dub.sh/github,https://github.com/dubinc,12,2024-01-01T00:00:00Z,"oss,code",true,e1,2030-01-01 08:00:00,https://apps.apple.com/x\n',
    {
      slug: 'github',
      destination: 'https://github.com/dubinc',
      tags: ['oss', 'code'],
      archived: true,
      external_id: 'e1',
      expires_at: '2030-01-01T08:00:00Z',
      routing: { rules: [{ when: { platform: ['ios'] }, destination: 'https://apps.apple.com/x' }] },
    },
  ],
  [
    'short_io',
    'originalURL,path,domain,title,tags,expiresAt,expiredURL,androidURL,utmSource\n' +
      'https://example.com/,sale,acme.short.gy,Sale,a;b,1893456000000,https://example.com/over,https://play.example.com,mail\n',
    {
      slug: 'sale',
      destination: 'https://example.com/',
      title: 'Sale',
      tags: ['a', 'b'],
      expires_at: '2030-01-01T00:00:00.000Z',
      expired_destination: 'https://example.com/over',
      routing: { rules: [{ when: { platform: ['android'] }, destination: 'https://play.example.com' }] },
      utm: { source: 'mail' },
    },
  ],
  [
    'rebrandly',
    'Title,Slashtag,Destination URL,Domain,Short URL,Tags\nBurn,burn10M,https://wired.com/x,rebrand.ly,rebrand.ly/burn10M,cars\n',
    { slug: 'burn10M', destination: 'https://wired.com/x', title: 'Burn', tags: ['cars'] },
  ],
  [
    'firebase',
    'Link name,Short link,Long link\nInvite,https://acme.page.link/inv1,' +
      '"https://acme.page.link/?link=https%3A%2F%2Fexample.com%2Finvite%3Fa%3D1&apn=com.acme&afl=https%3A%2F%2Fexample.com%2Fandroid&st=Join&utm_source=app"\n',
    {
      slug: 'inv1',
      destination: 'https://example.com/invite?a=1',
      title: 'Invite',
      preview: { title: 'Join' },
      routing: {
        rules: [{ when: { platform: ['android'] }, destination: 'https://example.com/android' }],
        open_app: true,
      },
      utm: { source: 'app' },
    },
  ],
  [
    'branch',
    'Link Title,URL,~channel,~campaign,$fallback_url,$deeplink_path,$og_title\n' +
      'Ad,https://acme.app.link/AbC123,facebook,spring,https://example.com/ad,product/42,Look\n',
    {
      slug: 'AbC123',
      destination: 'https://example.com/ad',
      title: 'Ad',
      utm: { source: 'facebook', campaign: 'spring' },
      preview: { title: 'Look' },
      routing: {
        open_app: true,
        ios: { deep_link_path: 'product/42' },
        android: { deep_link_path: 'product/42' },
      },
    },
  ],
];

describe('formats of imports', () => {
  for (const [format, csv, link] of SAMPLES) {
    it(`reads a file of ${format}`, async () => {
      const read = await firstLink(format, csv);
      expect(read.problems).to.deep.equal([]);
      expect(read.link).to.deep.equal(link);
    });
  }

  it('keeps a domain that is not of the vendor', async () => {
    const { link } = await firstLink('dub', 'domain,key,url\nnotdub.sh,x,https://example.com\n');
    expect(link).to.deep.equal({ domain: 'notdub.sh', slug: 'x', destination: 'https://example.com' });
  });

  it('lists columns that nothing is taken from', async () => {
    const { unknown } = await firstLink('bitly', 'Long URL,Engagements,Owner\nhttps://example.com,1,me\n');
    expect(unknown).to.deep.equal(['Engagements', 'Owner']);
  });

  it('makes a link of every back-half of Bitly, once each', async () => {
    const plan = planColumns(['id', 'link', 'custom_bitlinks', 'long_url'], 'bitly') as ColumnPlan;
    const links = (custom: string) =>
      linksIn(plan, ['bit.ly/3xa', 'https://bit.ly/3xa', custom, 'https://example.com']);
    expect(links('["https://bit.ly/Spring","https://brand.example/spring"]')).to.deep.equal([
      'https://bit.ly/Spring',
      'https://brand.example/spring',
      'https://bit.ly/3xa',
    ]);
    expect(links('bit.ly/Spring, j.mp/Spring')).to.deep.equal(['bit.ly/Spring', 'https://bit.ly/3xa']);
    expect(links('')).to.deep.equal([]);
    const cells = ['bit.ly/3xa', 'https://bit.ly/3xa', 'bit.ly/Spring', 'https://example.com'];
    expect(readRow(plan, cells, 'bit.ly/3xa').link).to.deep.equal({ slug: '3xa', destination: 'https://example.com' });
  });

  it('keeps where desktops go, and opens the apps that a row names', async () => {
    const branch = await firstLink(
      'branch',
      'URL,$fallback_url,$desktop_url,$deeplink_path,$web_only\n' +
        'https://a.app.link/x,https://example.com/m,https://example.com/d,p/1,true\n',
    );
    expect(branch.link.routing).to.deep.equal({
      rules: [{ when: { device: ['desktop'] }, destination: 'https://example.com/d' }],
      ios: { deep_link_path: 'p/1' },
      android: { deep_link_path: 'p/1' },
    });
    const alone = await firstLink('branch', 'URL,$desktop_url\nhttps://a.app.link/x,https://example.com/d\n');
    expect(alone.link).to.deep.equal({ slug: 'x', destination: 'https://example.com/d' });
    const long = new URLSearchParams({
      link: 'https://example.com/p',
      apn: 'com.acme',
      ibi: 'com.acme.ios',
      ifl: 'https://example.com/ios',
      ofl: 'https://example.com/desktop',
      ipfl: 'https://example.com/ipad',
      amv: '12',
      efr: '1',
    });
    const csv = `Short link,Long link\nhttps://a.page.link/x,https://a.page.link/?${long}\n`;
    const firebase = await firstLink('firebase', csv);
    expect(firebase.link).to.deep.equal({
      slug: 'x',
      destination: 'https://example.com/p',
      routing: {
        rules: [
          { when: { platform: ['ios'], device: ['tablet'] }, destination: 'https://example.com/ipad' },
          { when: { platform: ['ios'] }, destination: 'https://example.com/ios' },
          { when: { device: ['desktop'] }, destination: 'https://example.com/desktop' },
        ],
        open_app: true,
        android: { fallback: 'store' },
      },
    });
    expect(firebase.notes).to.deep.equal([{ column: 'Long link', message: 'Not taken over: {"amv":"12","efr":"1"}.' }]);
  });

  it("puts Branch's columns of your own into data, and names those of Branch", async () => {
    const read = await firstLink(
      'branch',
      'URL,$fallback_url,screen,sku,empty,$match_duration,data\n' +
        'https://a.app.link/x,https://example.com,shop,42,,3600,"{""sku"": 43}"\n',
    );
    expect(read.link.data).to.deep.equal({ screen: 'shop', sku: 43 });
    expect(read.unknown).to.deep.equal(['$match_duration']);
    expect(read.notes).to.deep.equal([{ column: '', message: 'Not taken over: {"$match_duration":"3600"}.' }]);
  });

  it('makes rules of countries where it is clear which leads where', async () => {
    const dub = async (geo: string) =>
      firstLink('dub', `Short link,Destination URL,Geo\ndub.sh/x,https://example.com,"${geo.replaceAll('"', '""')}"\n`);
    const rule = (country: string, destination: string) => ({ when: { country: [country] }, destination });
    const rules = [rule('DE', 'https://example.com/de'), rule('AT', 'https://example.com/at')];
    for (const geo of [
      '{"DE":"https://example.com/de","at":"https://example.com/at"}',
      'DE=https://example.com/de; AT=https://example.com/at',
      'de: https://example.com/de, at: https://example.com/at',
    ])
      expect((await dub(geo)).link.routing, geo).to.deep.equal({ rules });
    for (const geo of ['DE, AT', '{"DE": 1}', '{"DE"', 'https://example.com/de']) {
      const read = await dub(geo);
      expect(read.link, geo).to.not.have.property('routing');
      expect(read.notes, geo).to.have.length(1);
      expect(read.notes[0]?.column).to.equal('Geo');
      expect(read.notes[0]?.message).to.match(/^Not taken over: ".*which country leads where/);
    }
  });

  it('takes a password that is told, and makes no public link of one that is not', async () => {
    const read = (cell: string) =>
      firstLink('dub', `Short link,Destination URL,Password\ndub.sh/x,https://example.com,${cell}\n`);
    expect((await read('open sesame')).link.password).to.equal('open sesame');
    for (const cell of ['', 'false', 'None', '-']) {
      const { link, problems } = await read(cell);
      expect(link, cell).to.not.have.property('password');
      expect(problems, cell).to.deep.equal([]);
    }
    for (const cell of ['true', 'Yes', '*****', '$2b$10$abcdefghijklmnopqrstuv', 'a'.repeat(64)]) {
      const { problems } = await read(cell);
      expect(problems, cell).to.have.length(1);
      expect(problems[0]?.column).to.equal('Password');
    }
    const short = await firstLink('short_io', 'originalURL,path,passwordProtected\nhttps://example.com,x,TRUE\n');
    expect(short.problems.map(({ column }) => column)).to.deep.equal(['passwordProtected']);
    const both = (password: string) =>
      firstLink(
        'short_io',
        `originalURL,path,password,passwordProtected\nhttps://example.com,x,${password},true\n`,
      ).then(({ problems }) => problems.map(({ column }) => column));
    for (const nothing of ['null', '-', '0', 'N/A', ''])
      expect(await both(nothing), nothing).to.deep.equal(['passwordProtected']);
    expect(await both('false'), 'said to be public').to.deep.equal([]);
  });

  it('takes one in files of our own too, whose export has none', async () => {
    const own = await firstLink('svc', 'destination,password\nhttps://example.com,open sesame\n');
    expect(own.link.password).to.equal('open sesame');
    expect(own.notes).to.deep.equal([]);
    const hidden = await firstLink('svc', 'destination,password_protected\nhttps://example.com,true\n');
    expect(hidden.problems.map(({ column }) => column)).to.deep.equal(['password_protected']);
    const empty = await firstLink('svc', 'destination,password\nhttps://example.com,\n');
    expect([empty.link, empty.problems]).to.deep.equal([{ destination: 'https://example.com' }, []]);
  });

  it('makes no link of the root of a domain', async () => {
    for (const short of ['https://dub.sh', 'dub.sh/', 'go.acme.com'])
      expect((await firstLink('dub', `Short link,url\n${short},https://example.com\n`)).problems, short).to.have.length(
        1,
      );
    const key = await firstLink('dub', 'domain,key,url\ngo.acme.com,_root,https://example.com\n');
    expect(key.problems[0]).to.include({ column: 'key' });
    expect(key.problems[0]?.message).to.include('root_destination');
  });

  it('names what else it does not take, and not what is said twice', async () => {
    const { link, notes } = await firstLink(
      'short_io',
      'originalURL,shortURL,secureShortURL,path,Link title,clicks,owner\n' +
        'https://example.com,https://a.short.gy/x,https://a.short.gy/x,x,Sale,12,me\n',
    );
    expect(link).to.deep.equal({ slug: 'x', destination: 'https://example.com', title: 'Sale' });
    expect(notes).to.deep.equal([{ column: '', message: 'Not taken over: {"clicks":"12","owner":"me"}.' }]);
  });

  it('says what a file without a destination lacks', () => {
    expect(planColumns(['Name', 'Clicks'], 'rebrandly')).to.match(
      /"destination" or "destination_url".*"Name", "Clicks"/,
    );
  });
});
