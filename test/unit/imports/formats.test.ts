import { expect } from 'chai';
import type { ImportFormat } from '../../../src/imports/formats.ts';
import { inspectCsv } from '../../../src/imports/inspectCsv.ts';
import { type ColumnPlan, planColumns } from '../../../src/imports/planColumns.ts';
import { readCsv } from '../../../src/imports/readCsv.ts';
import { readRow } from '../../../src/imports/readRow.ts';

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
      routing: { rules: [{ when: { platform: ['android'] }, destination: 'https://example.com/android' }] },
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
      routing: { ios: { deep_link_path: 'product/42' }, android: { deep_link_path: 'product/42' } },
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

  it('says what a file without a destination lacks', () => {
    expect(planColumns(['Name', 'Clicks'], 'rebrandly')).to.match(
      /"destination" or "destination_url".*"Name", "Clicks"/,
    );
  });
});
